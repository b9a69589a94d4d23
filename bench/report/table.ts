import type { Measured } from './rounds.ts'

export type Line = { name: string; connections: number; rounds: Measured[] }

/** Medians: one round in which the machine was busy elsewhere must not decide. */
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Each round is compared with the one that was played beside it, in the same weather. */
export const ratio = (line: Line, reference: Line) =>
  median(line.rounds.map((round, index) => round.perSecond / (reference.rounds[index]?.perSecond ?? Number.NaN)))

const HEADINGS = [
  '',
  'connections',
  'a second',
  'of the floor',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'Postgres µs',
  'memory MB',
]

/** The first line of each number of connections is the floor. */
export const table = (lines: Line[]) => {
  const cells = lines.map((line) => {
    const { name, connections, rounds } = line
    const floor = lines.find((other) => other.connections === connections) ?? line
    const of = (read: (round: Measured) => number) => median(rounds.map(read))
    return [
      name,
      String(connections),
      of((round) => round.perSecond).toFixed(0),
      ratio(line, floor).toFixed(2),
      of((round) => round.p50).toFixed(1),
      of((round) => round.p99).toFixed(1),
      orDash(of((round) => round.ownMicros)),
      orDash(of((round) => round.belowMicros)),
      orDash(of((round) => round.rssBytes / 2 ** 20)),
    ]
  })
  const widths = HEADINGS.map((heading, column) =>
    Math.max(...[heading, ...cells.map((row) => row[column] ?? '')].map((text) => text.length)),
  )
  const line = (row: string[]) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
  return [HEADINGS, ...cells].map(line).join('\n')
}

const orDash = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(0))
