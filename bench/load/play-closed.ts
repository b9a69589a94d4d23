import type { Traffic } from '../traffic/traffic.ts'
import { busyWith, type Connect } from './client.ts'

export type PlayOptions = Pick<Traffic, 'next' | 'acknowledge'> & {
  connect: Connect
  port: number
  connections: number
  seconds: number
}

/** Every connection has one request in flight and sends the next as soon as it is answered: the maximum throughput. */
export const playClosed = async ({ connect, port, connections, seconds, next, acknowledge }: PlayOptions) => {
  const latencies: number[] = []
  const failures: string[] = []
  let [answered, refused, doubtful] = [0, 0, 0]
  let endsAt = 0

  const open = async () => {
    let sentAt = 0
    let request = next()
    const over = Promise.withResolvers<void>()
    const finish = (failure?: string) => {
      if (failure) failures.push(failure)
      over.resolve()
      client.close()
    }
    const ask = () => {
      if (!request) return finish('ran out of visitors: the round was shorter than it says')
      sentAt = performance.now()
      client.ask(request.bytes)
    }
    const client = await connect(port, {
      onAnswer: ({ status, body }) => {
        const now = performance.now()
        answered++
        const busy = busyWith(status, body)
        if (busy) refused++
        else if (status !== 200) return finish(`${status} ${body}`)
        else if (request) acknowledge(request, body)
        if (busy === 'unavailable') doubtful++
        // Responses after the end are checked like the rest, but do not count as throughput.
        if (now >= endsAt) return finish()
        if (!busy) latencies.push(now - sentAt)
        request = next()
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
  return { latencies, failures, answered, refused, doubtful }
}
