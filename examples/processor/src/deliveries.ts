import { asSeenByPlatform, type ProcessorEvent } from './event.ts'
import { signatureHeader } from './signature.ts'

export type Endpoint = {
  id: string
  url: string
  secret: string
  /** Whose events it hears: the account's own, or with `connect` those of every account connected to it. */
  account: string
  connect: boolean
  /** Types of events, or `*`. */
  enabledEvents: string[]
}

export type Delivery = {
  eventId: string
  type: string
  url: string
  attempts: number
  status: number | 'no answer' | null
}

type Options = { retryDelaysMs: number[]; timeoutMs?: number }

/** Sends events in order, and again after a while where the answer is not 2xx, as the processor does over three days. */
export const startDeliveries = ({ retryDelaysMs, timeoutMs = 20_000 }: Options) => {
  const log: Delivery[] = []
  const timers: Timers = new Map()
  const underWay = new Set<Promise<void>>()
  const heldBack: (() => void)[] = []
  let isHolding = false
  let isStopped = false
  let last: Promise<unknown> = Promise.resolve()

  const attempt = async (delivery: Delivery, endpoint: Endpoint, body: string) => {
    delivery.attempts += 1
    delivery.status = await post(endpoint, body, timeoutMs)
    const isTaken = typeof delivery.status === 'number' && delivery.status >= 200 && delivery.status < 300
    const delay = retryDelaysMs[delivery.attempts - 1]
    if (isTaken || delay === undefined || isStopped) return
    track(pause(delay, timers).then(() => (isStopped ? undefined : attempt(delivery, endpoint, body))))
  }

  const track = (work: Promise<void>) => {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  const send = (event: ProcessorEvent, endpoint: Endpoint, account: string) => {
    const seen = endpoint.connect ? asSeenByPlatform(event, account) : event
    const delivery: Delivery = { eventId: event.id, type: event.type, url: endpoint.url, attempts: 0, status: null }
    log.push(delivery)
    const first = last.then(() => attempt(delivery, endpoint, JSON.stringify(seen, null, 2)))
    last = first
    track(first)
  }

  return {
    log,
    deliver: (event: ProcessorEvent, endpoint: Endpoint, account: string) => {
      if (isHolding) heldBack.push(() => send(event, endpoint, account))
      else send(event, endpoint, account)
    },
    hold: () => {
      isHolding = true
    },
    /** Sends what was held back, in the order in which it happened or in one of the caller's. */
    release: (arrange: (held: (() => void)[]) => (() => void)[] = (held) => held) => {
      isHolding = false
      for (const go of arrange(heldBack.splice(0))) go()
    },
    /** Until everything that was told has been sent once; repeats come later. */
    firstAttempts: () => last.then(() => undefined),
    /** Until nothing is under way and no repeat is due. */
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    stop: () => {
      isStopped = true
      for (const [timer, end] of timers) {
        clearTimeout(timer)
        end()
      }
    },
  }
}

const post = async ({ url, secret }: Endpoint, body: string, timeoutMs: number) => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'stripe-signature': signatureHeader(body, secret),
  }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 'no answer' as const
  }
}

type Timers = Map<ReturnType<typeof setTimeout>, () => void>

const pause = (milliseconds: number, timers: Timers) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      resolve()
    }, milliseconds)
    timers.set(timer, resolve)
  })
