import type { Fake } from '../create-fake.ts'
import type { Delivery } from '../fake.ts'

export type Sent = { delivery: Delivery; url: string; attempts: number; status: number | 'no response' | null }

type Options = { fake: Fake; retryDelaysMs: number[]; timeoutMs?: number }

/** Sends webhooks in order. A failed one is signed again and retried later. */
export const createSender = ({ fake, retryDelaysMs, timeoutMs = 20_000 }: Options) => {
  const log: Sent[] = []
  const endpoints: string[] = []
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let last: Promise<void> = Promise.resolve()

  const attempt = async (sent: Sent) => {
    sent.attempts += 1
    sent.status = await post(sent.url, fake.sign(sent.delivery), timeoutMs)
    const delay = retryDelaysMs[sent.attempts - 1]
    if (isAccepted(sent.status) || delay === undefined) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      queue(sent)
    }, delay)
    timers.add(timer)
  }
  const queue = (sent: Sent) => {
    last = last.then(() => attempt(sent))
  }

  return {
    log,
    addEndpoint: (url: string) => void endpoints.push(url),
    send: (deliveries: Delivery[]) => {
      for (const delivery of deliveries)
        for (const url of endpoints) {
          const sent: Sent = { delivery, url, attempts: 0, status: null }
          log.push(sent)
          queue(sent)
        }
    },
    resend: (sent: Sent) => queue(sent),
    /** Resolves when everything queued so far has been sent once. */
    settled: () => last,
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

export type Sender = ReturnType<typeof createSender>

const isAccepted = (status: Sent['status']) => typeof status === 'number' && status >= 200 && status < 300

const post = async (url: string, { headers, body }: Delivery, timeoutMs: number) => {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 'no response' as const
  }
}
