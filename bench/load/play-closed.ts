import type { Traffic } from '../traffic/traffic.ts'
import { busyWith, type Connect } from './client.ts'

export type Playing = Pick<Traffic, 'next' | 'acknowledge'> & {
  connect: Connect
  port: number
  connections: number
  seconds: number
}

/** Every connection has one request under way, and asks again as soon as it was answered: what there is to get at most. */
export const playClosed = async ({ connect, port, connections, seconds, next, acknowledge }: Playing) => {
  const latencies: number[] = []
  const failures: string[] = []
  let [answered, refused, doubtful] = [0, 0, 0]
  let endsAt = 0

  const open = async () => {
    let askedAt = 0
    let request = next()
    const over = Promise.withResolvers<void>()
    const finish = (failure?: string) => {
      if (failure) failures.push(failure)
      over.resolve()
      client.close()
    }
    const ask = () => {
      if (!request) return finish('nobody was left to call: the round was shorter than it says')
      askedAt = performance.now()
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
        // What is answered after the bell is checked like the rest, but does not count as speed.
        if (now >= endsAt) return finish()
        if (!busy) latencies.push(now - askedAt)
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
