/** The load process: plays the rounds it receives, one after another, and records the acknowledged calls. */
import { summaryOf } from '../report/percentiles.ts'
import { makeTraffic, type Plan } from '../traffic/traffic.ts'
import type { ClientName } from './client.ts'
import { connectByFetch } from './fetch-client.ts'
import { connectBySocket } from './keep-alive-client.ts'
import { playClosed } from './play-closed.ts'
import { playPaced } from './play-paced.ts'

export type Round = {
  port: number
  connections: number
  seconds: number
  /** Requests per second, answered or not; null: each connection sends the next one when answered. */
  perSecond: number | null
  plan: Plan
  /** File for the names of acknowledged calls; null for the floor, which acknowledges nothing. */
  acknowledgedFile: string | null
}
export type Played = ReturnType<typeof summaryOf> & {
  answered: number
  refused: number
  doubtful: number
  failures: string[]
}

const connect = (process.env.BENCH_CLIENT as ClientName) === 'fetch' ? connectByFetch : connectBySocket

const play = async ({ acknowledgedFile, plan, perSecond, ...round }: Round): Promise<Played> => {
  const traffic = makeTraffic(plan)
  const acknowledge = acknowledgedFile ? traffic.acknowledge : () => {}
  const to = { ...round, connect, next: traffic.next, acknowledge }
  const { latencies, ...played } = await (perSecond === null ? playClosed(to) : playPaced({ ...to, perSecond }))
  if (acknowledgedFile) await Bun.write(acknowledgedFile, traffic.acknowledged.join('\n'))
  return { ...summaryOf(latencies, round.seconds), ...played }
}

process.on('message', async (round: Round) => {
  try {
    process.send?.(await play(round))
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
})
process.on('disconnect', () => process.exit(0))
