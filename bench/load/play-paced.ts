import type { Request } from '../traffic/traffic.ts'
import { busyWith } from './client.ts'
import { makePace } from './pace.ts'
import type { PlayOptions } from './play-closed.ts'

const TICK_MS = 1
/** A server this far behind is not at half load, and the round would not end. */
const LONGEST_QUEUE = 200_000

type Idle = { ask(request: Request, dueAt: number): void; close(): void }

/** Requests come at an even rate, answered or not; a request without a free connection waits, and the wait counts. */
export const playPaced = async ({
  connect,
  port,
  connections,
  seconds,
  next,
  acknowledge,
  perSecond,
}: PlayOptions & { perSecond: number }) => {
  const latencies: number[] = []
  const failures: string[] = []
  const waiting: number[] = []
  const idle: Idle[] = []
  let [answered, refused, doubtful, first] = [0, 0, 0, 0]
  const over = Promise.withResolvers<void>()

  const open = async () => {
    let [current, dueAt]: [Request | null, number] = [null, 0]
    const client = await connect(port, {
      onAnswer: ({ status, body }) => {
        answered++
        const busy = busyWith(status, body)
        if (busy === 'unavailable') doubtful++
        if (busy) refused++
        else if (status !== 200) failures.push(`${status} ${body}`)
        else if (current) acknowledge(current, body)
        latencies.push(performance.now() - dueAt)
        idle.push(self)
        send()
      },
      onLost: (failure) => {
        failures.push(failure)
        over.resolve()
      },
    })
    const self: Idle = {
      ask: (request, at) => {
        ;[current, dueAt] = [request, at]
        client.ask(request.bytes)
      },
      close: client.close,
    }
    return self
  }

  const send = () => {
    while (first < waiting.length && idle.length > 0) {
      const request = next()
      if (!request) {
        failures.push('ran out of visitors: the round was shorter than it says')
        return over.resolve()
      }
      idle.pop()?.ask(request, waiting[first++] ?? 0)
    }
    if (waiting.length - first > LONGEST_QUEUE)
      over.reject(new Error('the server cannot keep up with half of its previous rate'))
    if (pace.isOver() && answered >= pace.total) over.resolve()
  }

  const clients = await Promise.all(Array.from({ length: connections }, open))
  idle.push(...clients)
  const pace = makePace(perSecond, performance.now(), seconds)
  const timer = setInterval(() => {
    waiting.push(...pace.take(performance.now()))
    send()
  }, TICK_MS)
  await over.promise.finally(() => clearInterval(timer))
  for (const client of clients) client.close()
  return { latencies, failures, answered, refused, doubtful }
}
