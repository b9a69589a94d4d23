import { type Cell, csvLine } from '@tributary/contract/csv'
import { csvHeaders, csvStream } from '../platform/files.ts'
import type { Call } from './context.ts'

export { type Cell, cell } from '@tributary/contract/csv'

type File = { name: string; columns?: string[]; rows: Cell[][] }

export const sendCsv = (c: Call, { name, columns, rows }: File) => {
  const all = columns ? [columns, ...rows] : rows
  return c.body(all.map(csvLine).join(''), 200, csvHeaders(name))
}

/** Streams a file of any length. */
export const streamCsv = (c: Call, name: string, columns: string[], rows: AsyncGenerator<Cell[][]>) =>
  c.body(csvStream(columns, rows), 200, csvHeaders(name))

export const wantsCsv = (c: Call) => c.req.query('format') === 'csv'
