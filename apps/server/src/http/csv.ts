import type { Call } from './context.ts'

/** Text that a machine reads and that must stay as it is: with one character more, an address is somebody else's. */
type Exact = { exactly: string }
export type Cell = string | number | boolean | Date | Exact | null | undefined

/** A spreadsheet takes a cell that begins like a formula for one, so such text gets a quote in front. */
const plain = (text: string) => (/^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text)

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cell = (value: Cell) => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return quoted(value.exactly)
  return typeof value === 'string' ? quoted(plain(value)) : String(value)
}

const lineOf = (row: Cell[]) => `${row.map(cell).join(',')}\r\n`

/** Comma-separated values as RFC 4180 has them, as a file to save. */
type File = { name: string; columns?: string[]; rows: Cell[][] }

export const fileOf = (c: Call, { name, columns, rows }: File) => {
  const all = columns ? [columns, ...rows] : rows
  return c.body(all.map(lineOf).join(''), 200, headersOf(name))
}

const headersOf = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}.csv"`,
})

/**
 * A file of any length, made while it is sent: the next rows are read when the caller has taken the last. Should that fail,
 * the answer breaks off, so that nobody takes a part for the whole.
 */
export const streamCsv = (c: Call, name: string, columns: string[], rows: AsyncGenerator<Cell[][]>) => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(lineOf(columns))),
    pull: async (controller) => {
      const { done, value } = await rows.next()
      if (done) return controller.close()
      if (value.length > 0) controller.enqueue(Buffer.from(value.map(lineOf).join('')))
      else controller.enqueue(new Uint8Array())
    },
    cancel: async () => void (await rows.return(undefined)),
  })
  return c.body(stream, 200, headersOf(name))
}

export const wantsCsv = (c: Call) => c.req.query('format') === 'csv'
