/** The load process: plays the rounds it is told to, one after another, and writes down what was acknowledged. */
import { connect } from './keep-alive-client.ts'
import { makeTraffic } from './traffic.ts'

export type Round = {
  port: number
  connections: number
  seconds: number
  affs: string[]
  /** Whether some visitors come back with the `click_id` they have. */
  returning: boolean
  /** Visitors of earlier days, some of whom come back. */
  knownClickIds: string[]
  /** Where the acknowledged `click_id`s go; null for the floor, which acknowledges nothing. */
  acknowledgedFile: string | null
}
export type Played = { perSecond: number; p50: number; p99: number; answered: number; failures: string[] }

const play = async ({ port, connections, seconds, acknowledgedFile, ...visitors }: Round): Promise<Played> => {
  const traffic = makeTraffic(visitors)
  const latencies: number[] = []
  const failures: string[] = []
  let answered = 0
  let endsAt = 0

  const open = async () => {
    let askedAt = 0
    const over = Promise.withResolvers<void>()
    const finish = (failure?: string) => {
      if (failure) failures.push(failure)
      over.resolve()
      client.close()
    }
    const ask = () => {
      askedAt = performance.now()
      client.ask(traffic.nextRequest())
    }
    const client = await connect(port, {
      onAnswer: ({ status, body }) => {
        const now = performance.now()
        answered++
        if (status !== 200) return finish(`${status} ${body}`)
        if (acknowledgedFile) traffic.acknowledge(body)
        // What is answered after the bell is checked like the rest, but does not count as speed.
        if (now >= endsAt) return finish()
        latencies.push(now - askedAt)
        ask()
      },
      onLost: finish,
    })
    return { ask, over: over.promise }
  }

  const clients = await Promise.all(Array.from({ length: connections }, open))
  endsAt = performance.now() + seconds * 1000
  for (const client of clients) client.ask()
  await Promise.all(clients.map((client) => client.over))

  if (acknowledgedFile) await Bun.write(acknowledgedFile, traffic.acknowledged.join('\n'))
  const sorted = Float64Array.from(latencies).sort()
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { perSecond: latencies.length / seconds, p50: percentile(0.5), p99: percentile(0.99), answered, failures }
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
