import type { Call } from '../context.ts'

export type Cell = string | number | boolean | Date | null | undefined

/** A spreadsheet takes a cell that begins like a formula for one, so such text gets a quote in front. */
const plain = (text: string) => (/^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text)

const cell = (value: Cell, forPeople: boolean) => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'string') return String(value)
  const text = forPeople ? plain(value) : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const lineOf = (row: Cell[], forPeople = true) => `${row.map((value) => cell(value, forPeople)).join(',')}\r\n`

/** Comma-separated values as RFC 4180 has them, as a file to save. */
type File = { name: string; columns?: string[]; rows: Cell[][]; forPeople?: boolean }

export const fileOf = (c: Call, { name, columns, rows, forPeople = true }: File) => {
  const all = columns ? [columns, ...rows] : rows
  return c.body(all.map((row) => lineOf(row, forPeople)).join(''), 200, headersOf(name))
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
      if (value.length > 0) controller.enqueue(Buffer.from(value.map((row) => lineOf(row)).join('')))
      else controller.enqueue(new Uint8Array())
    },
    cancel: async () => void (await rows.return(undefined)),
  })
  return c.body(stream, 200, headersOf(name))
}

export const answerCsv = (c: Call, name: string, columns: string[], rows: Cell[][]) =>
  fileOf(c, { name, columns, rows })

export const wantsCsv = (c: Call) => c.req.query('format') === 'csv'

/** Everything at once, for a file; a page at a time on the screen. */
export const WHOLE_LIST = { page: 1, pageSize: 100_000 }
