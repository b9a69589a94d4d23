import { median } from '../report/percentiles.ts'
import { type Line, type PlayContext, playRounds, type Target } from '../rounds.ts'
import { type Benched, targetOf } from './benched.ts'

const CONNECTIONS = [64, 512]
const KNOWN = 20_000
const HALF_LOAD_CONNECTIONS = 64

/** One hot link or ten thousand; new visitors only, or one in six who returns. */
export const SCENARIOS = [
  { scenario: 'click: one link, new visitors', hot: true, returning: false },
  { scenario: 'click: one link, some return', hot: true, returning: true },
  { scenario: 'click: 10,000 links, new visitors', hot: false, returning: false },
  { scenario: 'click: 10,000 links, some return', hot: false, returning: true },
]
const USUAL = 'click: 10,000 links, some return'
export const HALF_LOAD = 'click at half load'
export const FLOOR_AT_HALF_LOAD = 'floor at half load'

const clickTargets = async (benched: Benched): Promise<Target[]> => {
  const { affs } = benched.service.program
  const knownClickIds = await findReturningVisitors(benched)
  return SCENARIOS.map(({ scenario, hot, returning }) =>
    targetOf(
      benched,
      scenario,
      () => ({ kind: 'clicks', affs: hot ? affs.slice(0, 1) : affs, returning, knownClickIds }),
      'clicks',
    ),
  )
}

/** Visitors of earlier days: their records are deep in the table. */
const findReturningVisitors = async ({ place, service }: Benched) => {
  if (place !== 'filled') return []
  const { rows } = await service.pool.query<{ click_id: string }>(
    `SELECT click_id FROM customers TABLESAMPLE BERNOULLI (2) WHERE last_clicked_at > now() - interval '30 days'
     ORDER BY random() LIMIT $1`,
    [KNOWN],
  )
  return rows.map((row) => row.click_id)
}

/** All kinds of clicks, alternating with the floor and the bare insert; with several processes only the usual kind. */
export const playClicks = async (
  context: PlayContext,
  { floor, bare }: Record<'floor' | 'bare', Target>,
  all: Benched[],
) => {
  const targets = [floor, bare]
  for (const benched of all) {
    const theirs = await clickTargets(benched)
    targets.push(...(benched.place === 'workers' ? theirs.filter(({ scenario }) => scenario === USUAL) : theirs))
  }
  const lines: Line[] = []
  for (const connections of CONNECTIONS) lines.push(...(await playRounds(context, connections, targets)))
  return [...lines, ...(await playHalfLoad(context, { floor, targets, lines }))]
}

type Played = { floor: Target; targets: Target[]; lines: Line[] }

/** At half of each target's peak rate: latency on a busy day below the limit. */
const playHalfLoad = (context: PlayContext, { floor, targets, lines }: Played) => {
  const usual = targets.filter(({ scenario, place }) => scenario === USUAL && place === 'empty')
  const paced = [floor, ...usual].map((target): Target => {
    const line = lines.find(
      ({ scenario, place, connections }) =>
        scenario === target.scenario && place === target.place && connections === HALF_LOAD_CONNECTIONS,
    )
    const perSecond = median(line?.rounds.map((round) => round.perSecond) ?? []) / 2
    return { ...target, scenario: target === floor ? FLOOR_AT_HALF_LOAD : HALF_LOAD, perSecond }
  })
  return playRounds(context, HALF_LOAD_CONNECTIONS, paced)
}
