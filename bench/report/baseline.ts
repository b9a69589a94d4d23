import { existsSync, readFileSync } from 'node:fs'
import type { Figures } from './figures.ts'
import type { Results } from './results.ts'

/** A change of less is what two runs of one version differ by. */
const NOTED = 0.1

export type Change = {
  scenario: string
  place: string
  connections: number
  before: number
  now: number
  /** The rate as a share of the floor's, now of then: above 1 it became faster. */
  rate: number
  /** Processor time as a multiple of the floor's, now of then: above 1 it became dearer. */
  cpu: number
  note: 'slower' | 'faster' | ''
}

const keyOf = ({ scenario, place, connections }: Figures) => `${scenario}|${place}|${connections}`

/** In ratios to the floor of each run, so that two machines, or two hours of one, can be compared. */
export const compare = (baseline: Figures[], figures: Figures[]): Change[] => {
  const known = new Map(baseline.map((one) => [keyOf(one), one]))
  return figures.flatMap((one) => {
    const before = known.get(keyOf(one))
    if (!before || one.place === 'floor') return []
    const rate = one.ofFloor / before.ofFloor
    return [
      {
        ...{ scenario: one.scenario, place: one.place, connections: one.connections },
        ...{ before: before.ofFloor, now: one.ofFloor, rate, cpu: one.cpuOfFloor / before.cpuOfFloor },
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

/** Null where there is none, or one that was asked by another client: its floor is another floor. */
export const readBaseline = (file: string, { run }: Pick<Results, 'run'>): Results | null => {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : null
  return before?.run.client === run.client ? before : null
}
