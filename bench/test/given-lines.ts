import type { Line, Measured, Place } from '../rounds.ts'

export const givenRound = (perSecond: number, more: Partial<Measured> = {}): Measured => ({
  perSecond,
  p50: 1,
  p99: 2,
  p999: 3,
  answered: perSecond,
  refused: 0,
  doubtful: 0,
  failures: [],
  serviceMicros: 10,
  postgresMicros: 5,
  rssBytes: 100 * 2 ** 20,
  ...more,
})

export const givenLine = (
  scenario: string,
  place: Place,
  rates: number[],
  more: Partial<Measured> & { connections?: number } = {},
): Line => {
  const { connections = 64, ...measured } = more
  return { scenario, place, connections, rounds: rates.map((rate) => givenRound(rate, measured)), failures: [] }
}
