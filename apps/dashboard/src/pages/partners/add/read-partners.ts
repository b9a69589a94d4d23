export type NewPartner = { name: string; email: string | null; code?: string }

const HEADINGS = { name: /^(full |partner )?name$/i, email: /^e-?mail( address)?$/i, code: /^(link )?code$/i }
type Field = keyof typeof HEADINGS
const FIELDS = Object.keys(HEADINGS) as Field[]

/** Spreadsheets paste tabs, and save semicolons where the comma is for decimals. */
const cellsOf = (line: string) => {
  const separator = ['\t', ';'].find((each) => line.includes(each)) ?? ','
  const cell = new RegExp(`${separator}\\s*(?:"((?:[^"]|"")*)"\\s*|([^${separator}]*))`, 'g')
  return [...`${separator}${line}`.matchAll(cell)].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  )
}

type Row = Partial<Record<Field, string>>

/** Without headings: the cell with an @ is the email, the first other one the name, the next the code. */
const byContent = (cells: string[]): Row => {
  const [first = '', ...rest] = cells
  const [, written = '', address] = /^(.*?)\s*<([^<>\s]+@[^<>\s]+)>$/.exec(first) ?? []
  const all = address ? [written, address, ...rest] : cells
  const [name = '', code = ''] = all.filter((cell) => !cell.includes('@'))
  return { name, code, email: all.find((cell) => cell.includes('@')) ?? '' }
}

const byHeadings =
  (headings: (Field | undefined)[]) =>
  (cells: string[]): Row =>
    Object.fromEntries(headings.flatMap((field, index) => (field ? [[field, cells[index] ?? '']] : [])))

const toPartner = ({ name = '', email = '', code = '' }: Row): NewPartner => ({
  name: name || email.replace(/@.*/, ''),
  email: email || null,
  ...(code && { code }),
})

/** Reads one partner per line, or a CSV file with or without headings. */
export const readPartners = (text: string): NewPartner[] => {
  const [first = [], ...rest] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(cellsOf)
    .filter((cells) => cells.some(Boolean))
  const headings = first.map((cell) => FIELDS.find((field) => HEADINGS[field].test(cell)))
  const isHeaded = headings.includes('name') || headings.includes('email')
  return (
    isHeaded ? rest.map(byHeadings(headings)) : [first, ...rest].filter((cells) => cells.length > 0).map(byContent)
  )
    .map(toPartner)
    .filter(({ name }) => name !== '')
}
