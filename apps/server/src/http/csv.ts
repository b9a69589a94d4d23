import type { Call } from './context.ts'

/** Text that a machine reads and that must stay as it is: with one character more, an address is somebody else's. */
type Exact = { exactly: string }
export type Cell = string | number | boolean | Date | Exact | null | undefined

const NUMBER = /^-?\d+(\.\d+)?$/
/** The signs that begin a formula, in both of their widths. */
const SIGN = '[=+\\-@\uff1d\uff0b\uff0d\uff20]'
const AT_START = new RegExp(`^(?:[\\t\\r]|["\\s]*${SIGN})`)
/** A spreadsheet may be set to any of these separators. A number after a comma, as JSON has them, is none. */
const AFTER_SEPARATOR = new RegExp(`([;|\\t\\r\\n]["\\s]*)(?=${SIGN})|(,["\\s]*)(?=${SIGN})(?!-\\d+[\\],}])`, 'g')

/**
 * A spreadsheet takes a cell that begins like a formula for one, so such text gets an apostrophe in front. Where lists are separated
 * by semicolons, a quote in the middle of a line protects nothing: the text after a separator is a cell too.
 */
const plain = (text: string) => {
  if (NUMBER.test(text)) return text
  const start = AT_START.test(text) ? "'" : ''
  return start + text.replace(AFTER_SEPARATOR, "$1$2'")
}

const quoted = (text: string) => (/[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const cell = (value: Cell) => {
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
