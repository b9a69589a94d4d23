import { asSeenByPlatform, type ProcessorEvent } from './event.ts'
import { signatureHeader } from './signature.ts'

export type Endpoint = {
  id: string
  url: string
  secret: string
  /** Receives events of this account or, with `connect`, of every connected account. */
  account: string
  connect: boolean
  /** Event types, or `*`. */
  enabledEvents: string[]
}

export type Delivery = {
  eventId: string
  type: string
  url: string
  attempts: number
  status: number | 'no response' | null
}

type Options = { retryDelaysMs: number[]; timeoutMs?: number }

/** Sends events in order and retries non-2xx responses, as Stripe does for up to three days. */
export const startDeliveries = ({ retryDelaysMs, timeoutMs = 20_000 }: Options) => {
  const log: Delivery[] = []
  const timers: Timers = new Map()
  const pending = new Set<Promise<void>>()
  const held: (() => void)[] = []
  let isHolding = false
  let isStopped = false
  let last: Promise<unknown> = Promise.resolve()

  const attempt = async (delivery: Delivery, endpoint: Endpoint, body: string) => {
    delivery.attempts += 1
    delivery.status = await post(endpoint, body, timeoutMs)
    const isAccepted = typeof delivery.status === 'number' && delivery.status >= 200 && delivery.status < 300
    const delay = retryDelaysMs[delivery.attempts - 1]
    if (isAccepted || delay === undefined || isStopped) return
    track(pause(delay, timers).then(() => (isStopped ? undefined : attempt(delivery, endpoint, body))))
  }

  const track = (work: Promise<void>) => {
    pending.add(work)
    void work.finally(() => pending.delete(work))
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
      if (isHolding) held.push(() => send(event, endpoint, account))
      else send(event, endpoint, account)
    },
    hold: () => {
      isHolding = true
    },
    /** Sends the held events, optionally reordered by the caller. */
    release: (arrange: (sends: (() => void)[]) => (() => void)[] = (sends) => sends) => {
      isHolding = false
      for (const send of arrange(held.splice(0))) send()
    },
    /** Resolves when every event has been sent once; retries may follow. */
    firstAttempts: () => last.then(() => undefined),
    /** Resolves when no delivery or retry is pending. */
    settled: async () => {
      while (pending.size > 0) await Promise.all(pending)
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
    return 'no response' as const
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
