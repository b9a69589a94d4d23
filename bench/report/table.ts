import type { Figures } from './figures.ts'

const PLACES = { floor: '', bare: '', empty: 'empty', filled: 'filled', workers: 'workers' }

const whole = (value: number) => (Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '–')
const exact = (value: number | null, digits: number) =>
  value !== null && Number.isFinite(value) ? value.toFixed(digits) : '–'

const COLUMNS: [heading: string, cell: (figures: Figures) => string][] = [
  ['', ({ scenario }) => scenario],
  ['database', ({ place }) => PLACES[place]],
  ['conn.', ({ connections }) => String(connections)],
  ['req/s', ({ perSecond }) => whole(perSecond)],
  ['vs floor', ({ ofFloor }) => exact(ofFloor, 3)],
  ['vs empty', ({ ofEmpty }) => exact(ofEmpty, 2)],
  ['p50 ms', ({ p50 }) => exact(p50, 1)],
  ['p99 ms', ({ p99 }) => exact(p99, 1)],
  ['p99.9 ms', ({ p999 }) => exact(p999, 1)],
  ['service µs', ({ serviceMicros }) => whole(serviceMicros)],
  ['Postgres µs', ({ postgresMicros }) => whole(postgresMicros)],
  ['CPU vs floor', ({ cpuOfFloor }) => exact(cpuOfFloor, 1)],
  ['MB', ({ memoryMb }) => whole(memoryMb)],
  ['rejected', ({ refused }) => (refused ? whole(refused) : '')],
]

/** For a terminal: aligned columns. */
export const textTable = (headings: string[], rows: string[][]) => {
  const widths = headings.map((heading, column) =>
    Math.max(...[heading, ...rows.map((row) => row[column] ?? '')].map((text) => text.length)),
  )
  const line = (row: string[]) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return [headings, ...rows].map(line).join('\n')
}

/** For a documentation page. */
export const markdownTable = (headings: string[], rows: string[][]) => {
  const line = (row: string[]) => `| ${row.join(' | ')} |`
  return [line(headings), line(headings.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  )
}

export const HEADINGS = COLUMNS.map(([heading]) => heading)
export const rowsOf = (figures: Figures[]) => figures.map((one) => COLUMNS.map(([, cell]) => cell(one)))
