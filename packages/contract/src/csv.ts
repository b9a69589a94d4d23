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

/** One line as RFC 4180 has it. */
export const csvLine = (row: Cell[]) => `${row.map(cell).join(',')}\r\n`
