/** Text for a machine, written unescaped: an extra apostrophe would make a payment address wrong. */
type Exact = { exactly: string }
export type Cell = string | number | boolean | Date | Exact | null | undefined

const NUMBER = /^-?\d+(\.\d+)?$/
/** Characters that start a formula, half-width and full-width. */
const SIGN = '[=+\\-@\uff1d\uff0b\uff0d\uff20]'
const AT_START = new RegExp(`^(?:[\\t\\r]|["\\s]*${SIGN})`)
/** Spreadsheets may split on any of these separators. A negative number after a comma, as in JSON, is not a formula. */
const AFTER_SEPARATOR = new RegExp(`([;|\\t\\r\\n]["\\s]*)(?=${SIGN})|(,["\\s]*)(?=${SIGN})(?!-\\d+[\\],}])`, 'g')

/**
 * Spreadsheets run a cell that starts like a formula, so such text gets a leading apostrophe. Text after a separator counts as a
 * cell too: a spreadsheet that splits on semicolons ignores quotes in the middle of a line.
 */
const escapeFormulas = (text: string) => {
  if (NUMBER.test(text)) return text
  const start = AT_START.test(text) ? "'" : ''
  return start + text.replace(AFTER_SEPARATOR, "$1$2'")
}

const quote = (text: string) => (/[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const cell = (value: Cell) => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return quote(value.exactly)
  return typeof value === 'string' ? quote(escapeFormulas(value)) : String(value)
}

/** One RFC 4180 line. */
export const csvLine = (row: Cell[]) => `${row.map(cell).join(',')}\r\n`
