import { type Cell, csvLine } from '@tributary/contract/csv'
import type { Call } from './context.ts'

export { type Cell, cell } from '@tributary/contract/csv'

type File = { name: string; columns?: string[]; rows: Cell[][] }

export const sendCsv = (c: Call, { name, columns, rows }: File) => {
  const all = columns ? [columns, ...rows] : rows
  return c.body(all.map(csvLine).join(''), 200, headersOf(name))
}

const headersOf = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}.csv"`,
})

/**
 * Streams a file of any length: the next rows are read once the caller has received the previous ones. On an error the response is
 * cut off, so that a partial file is not mistaken for a complete one.
 */
export const streamCsv = (c: Call, name: string, columns: string[], rows: AsyncGenerator<Cell[][]>) => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(csvLine(columns))),
    pull: async (controller) => {
      const { done, value } = await rows.next()
      if (done) return controller.close()
      if (value.length > 0) controller.enqueue(Buffer.from(value.map(csvLine).join('')))
      else controller.enqueue(new Uint8Array())
    },
    cancel: async () => void (await rows.return(undefined)),
  })
  return c.body(stream, 200, headersOf(name))
}

export const wantsCsv = (c: Call) => c.req.query('format') === 'csv'
