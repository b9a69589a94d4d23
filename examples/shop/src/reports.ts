import { setTimeout as sleep } from 'node:timers/promises'
import { TributaryError } from '@tributary/sdk'

type Options = { log: (message: string) => void; retryAfterMs: number }
type Report = { what: string; send: () => Promise<unknown> }

/**
 * Queues reports to Tributary and retries failed ones. Retrying is safe: leads, sales and refunds are deduplicated by customer,
 * invoice and refund ID. Reports of one customer are sent in order, because a refund needs its sale. A real shop stores them in
 * its database with the order.
 */
export const createReports = ({ log, retryAfterMs }: Options) => {
  const closing = new AbortController()
  const last = new Map<string, Promise<void>>()

  const deliver = async ({ what, send }: Report, onFirstFailure: () => void) => {
    for (let attempt = 1; !closing.signal.aborted; attempt += 1) {
      try {
        await send()
        if (attempt > 1) log(`${what} was reported after retrying.`)
        return
      } catch (error) {
        if (!isRetryable(error)) return log(`${what} was rejected: ${(error as Error).message}`)
        if (attempt === 1) log(`${what} could not be reported and will be retried: ${(error as Error).message}`)
      }
      onFirstFailure()
      await sleep(retryAfterMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
    log(`${what} was not reported before the shop stopped.`)
  }

  return {
    /** Resolves after the first attempt, or immediately if an earlier report of this customer is still waiting. */
    submit: (customerId: string, report: Report) =>
      new Promise<void>((resolve) => {
        const earlier = last.get(customerId)
        const current = (earlier ?? Promise.resolve()).then(() => deliver(report, resolve))
        last.set(customerId, current)
        void current.then(() => {
          if (last.get(customerId) === current) last.delete(customerId)
          resolve()
        })
        if (earlier) resolve()
      }),
    close: () => closing.abort(),
  }
}

/** No response, rate limited or a server error. Retrying anything else gives the same error. */
const isRetryable = (error: unknown) =>
  error instanceof TributaryError &&
  (error.status === null || error.status === 429 || error.status >= 500 || error.code === 'unexpected_answer')
