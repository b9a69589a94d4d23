import { FLOOR_AT_HALF_LOAD, HALF_LOAD } from '../scenarios/clicks.ts'
import type { Deliveries } from '../scenarios/deliveries.ts'
import type { Soak } from '../scenarios/soak.ts'
import { type Figures, isReference } from './figures.ts'
import { median } from './percentiles.ts'

/** A target and its result. */
export type TargetResult = { target: string; wanted: string; measured: string; reached: boolean }

const SALES_PER_SECOND = 1_500
const DELIVERIES_PER_SECOND = 1_000
const MEMORY_MB = 200

const least = (target: string, limit: number, value: number, digits = 2): TargetResult => ({
  target,
  wanted: `≥ ${limit.toLocaleString('en')}`,
  measured: value.toFixed(digits),
  reached: value >= limit,
})
const most = (target: string, limit: number, value: number, digits = 2): TargetResult => ({
  target,
  wanted: `≤ ${limit.toLocaleString('en')}`,
  measured: value.toFixed(digits),
  reached: value <= limit,
})

type Others = { soak: Soak | null; deliveries: Deliveries | null }

/** The project's targets for the figures of this run. */
export const judge = (figures: Figures[], { soak, deliveries }: Others): TargetResult[] => [
  ...judgeClicks(figures),
  ...judgeHalfLoad(figures),
  ...figures
    .filter(({ scenario, place }) => scenario.startsWith('sale') && place === 'empty')
    .map(({ perSecond }) => least('sales with commission per second', SALES_PER_SECOND, perSecond, 0)),
  ...judgeFilled(figures),
  ...judgeMemory(figures, soak),
  ...(deliveries ? judgeDeliveries(deliveries) : []),
]

const judgeClicks = (figures: Figures[]) =>
  [
    { connections: 64, share: 0.6 },
    { connections: 512, share: 0.75 },
  ].flatMap(({ connections, share }) => {
    const theirs = figures.filter(
      (one) => one.scenario.startsWith('click:') && one.place === 'empty' && one.connections === connections,
    )
    if (theirs.length === 0) return []
    const worst = (values: number[], pick: (...values: number[]) => number) => pick(...values)
    return [
      least(
        `clicks vs floor, ${connections} connections, slowest kind`,
        share,
        worst(
          theirs.map((one) => one.ofFloor),
          Math.min,
        ),
      ),
      most(
        `click CPU vs floor, ${connections} connections, most expensive kind`,
        2,
        worst(
          theirs.map((one) => one.cpuOfFloor),
          Math.max,
        ),
      ),
    ]
  })

const judgeHalfLoad = (figures: Figures[]) => {
  const [floor, click] = [FLOOR_AT_HALF_LOAD, HALF_LOAD].map((name) =>
    figures.find(({ scenario }) => scenario === name),
  )
  return floor && click ? [most('p99 at half load vs floor', 10, click.p99 / floor.p99, 1)] : []
}

/** On the full database, pages may be half as fast and everything else 10 % slower. */
const judgeFilled = (figures: Figures[]) =>
  figures.flatMap(({ scenario, place, connections, ofEmpty }) => {
    if (place !== 'filled' || ofEmpty === null) return []
    const isPage = /^(page|overview):/.test(scenario)
    return [least(`${scenario}, ${connections} connections: filled vs empty`, isPage ? 0.5 : 0.9, ofEmpty, 3)]
  })

const judgeMemory = (figures: Figures[], soak: Soak | null) => {
  const measured = figures.filter(({ place, memoryMb }) => !isReference(place) && Number.isFinite(memoryMb))
  const peak = Math.max(...measured.map(({ memoryMb }) => memoryMb), ...(soak?.samplesMb ?? []))
  const results = measured.length > 0 ? [most('memory of the largest process, MB', MEMORY_MB, peak, 0)] : []
  return soak && soak.samplesMb.length >= 6
    ? [...results, most('memory growth during the soak', 1.1, growthOf(soak))]
    : results
}

const judgeDeliveries = ({ pending, perSecond, samplesMb }: Deliveries) => [
  least(`webhooks per second while ${pending.toLocaleString('en')} wait`, DELIVERIES_PER_SECOND, perSecond, 0),
  most('memory growth during the webhooks', 1.1, growthOf({ samplesMb })),
]

/** Compares the last third with the one before it, because the first minutes fill caches. */
export const growthOf = ({ samplesMb }: Pick<Soak, 'samplesMb'>) => {
  const third = Math.floor(samplesMb.length / 3)
  return median(samplesMb.slice(-third)) / median(samplesMb.slice(-2 * third, -third))
}
