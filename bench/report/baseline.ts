import { existsSync, readFileSync } from 'node:fs'
import type { Figures } from './figures.ts'
import type { Results } from './results.ts'

/** Two runs of one version differ by less than this. */
const NOTED = 0.1

export type Change = {
  scenario: string
  place: string
  connections: number
  before: number
  now: number
  /** The rate as a share of the floor's, now compared to then: above 1 is faster. */
  rate: number
  /** CPU time as a multiple of the floor's, now compared to then: above 1 is more expensive. */
  cpu: number
  note: 'slower' | 'faster' | ''
}

const keyOf = ({ scenario, place, connections }: Figures) => `${scenario}|${place}|${connections}`

/** Ratios to the floor of each run, so that two machines, or two hours of one, can be compared. */
export const compare = (baseline: Figures[], figures: Figures[]): Change[] => {
  const known = new Map(baseline.map((one) => [keyOf(one), one]))
  return figures.flatMap((one) => {
    const before = known.get(keyOf(one))
    if (!before || one.place === 'floor') return []
    const rate = one.ofFloor / before.ofFloor
    return [
      {
        scenario: one.scenario,
        place: one.place,
        connections: one.connections,
        before: before.ofFloor,
        now: one.ofFloor,
        rate,
        cpu: one.cpuOfFloor / before.cpuOfFloor,
        note: rate < 1 - NOTED ? 'slower' : rate > 1 + NOTED ? 'faster' : '',
      },
    ]
  })
}

export const CHANGE_HEADINGS = ['', 'database', 'conn.', 'vs floor then', 'now', 'rate', 'CPU', '']
export const changeRows = (changes: Change[]) =>
  changes.map(({ scenario, place, connections, before, now, rate, cpu, note }) => [
    ...[scenario, place, String(connections), before.toFixed(3), now.toFixed(3)],
    ...[`×${rate.toFixed(2)}`, Number.isFinite(cpu) ? `×${cpu.toFixed(2)}` : '–', note],
  ])

/** Null if there is none, or one from another client: its floor is not comparable. */
export const readBaseline = (file: string, { run }: Pick<Results, 'run'>): Results | null => {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : null
  return before?.run.client === run.client ? before : null
}
