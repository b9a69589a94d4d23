import type { Call } from '../context.ts'

type Cell = string | number | boolean | Date | null | undefined

/** A spreadsheet takes a cell that begins like a formula for one, so such text gets a quote in front. */
const plain = (text: string) => (/^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text)

const cell = (value: Cell, forPeople: boolean) => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'string') return String(value)
  const text = forPeople ? plain(value) : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Comma-separated values as RFC 4180 has them, as a file to save. */
type File = { name: string; columns?: string[]; rows: Cell[][]; forPeople?: boolean }

export const fileOf = (c: Call, { name, columns, rows, forPeople = true }: File) => {
  const all = columns ? [columns, ...rows] : rows
  const text = all.map((row) => row.map((value) => cell(value, forPeople)).join(',')).join('\r\n')
  return c.body(`${text}\r\n`, 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
  })
}

export const answerCsv = (c: Call, name: string, columns: string[], rows: Cell[][]) =>
  fileOf(c, { name, columns, rows })

export const wantsCsv = (c: Call) => c.req.query('format') === 'csv'

/** Everything at once, for a file; a page at a time on the screen. */
export const WHOLE_LIST = { page: 1, pageSize: 100_000 }
