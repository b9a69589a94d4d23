import type { Line, Measured, Place } from '../rounds.ts'
import { median } from './percentiles.ts'

/** A row of the table: medians of its rounds, and ratios to the reference played next to it. */
export type Figures = {
  scenario: string
  place: Place
  connections: number
  perSecond: number
  p50: number
  p99: number
  p999: number
  serviceMicros: number
  postgresMicros: number
  memoryMb: number
  /** Share of the floor's rate in the same rounds. */
  ofFloor: number
  /** CPU time of service and Postgres as a multiple of the floor's. */
  cpuOfFloor: number
  /** Share of the rate on the empty database; null for the empty database and the floor. */
  ofEmpty: number | null
  /** Calls in all rounds that were rejected because of overload. */
  refused: number
}

/** A reference for comparison, not the service. */
export const isReference = (place: Place) => place === 'floor' || place === 'bare'

const NAMELESS = Number.NaN

/** Compares each round with the adjacent one, which ran under the same conditions. */
export const ratioOf = (line: Line, reference: Line | undefined, read: (round: Measured) => number) =>
  median(
    line.rounds.map((round, index) => {
      const other = reference?.rounds[index]
      return other ? read(round) / read(other) : NAMELESS
    }),
  )

const cpuOf = ({ serviceMicros, postgresMicros }: Measured) => serviceMicros + postgresMicros

/** Lines in play order; the floor of a group comes first. */
export const figuresOf = (lines: Line[]): Figures[] => {
  let floor: Line | undefined
  return lines.map((line) => {
    const { scenario, place, connections, rounds } = line
    if (place === 'floor') floor = line
    const empty = lines.find(
      (other) => other.place === 'empty' && other.scenario === scenario && other.connections === connections,
    )
    const of = (read: (round: Measured) => number) => median(rounds.map(read))
    const isCompared = !isReference(place) && place !== 'empty' && empty
    return {
      scenario,
      place,
      connections,
      perSecond: of((round) => round.perSecond),
      p50: of((round) => round.p50),
      p99: of((round) => round.p99),
      p999: of((round) => round.p999),
      serviceMicros: of((round) => round.serviceMicros),
      postgresMicros: of((round) => round.postgresMicros),
      memoryMb: of((round) => round.rssBytes / 2 ** 20),
      ofFloor: ratioOf(line, floor, (round) => round.perSecond),
      cpuOfFloor: ratioOf(line, floor, cpuOf),
      refused: rounds.reduce((sum, round) => sum + round.refused, 0),
      ofEmpty: isCompared ? ratioOf(line, empty, (round) => round.perSecond) : null,
    }
  })
}
