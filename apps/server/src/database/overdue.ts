/** Slightly longer than Postgres' own statement timeout, and short enough to respond within three seconds. */
export const QUERY_MS = 2_800
/** Raises the timeout for one transaction (transaction.ts). */
export const LONGER = "SET LOCAL statement_timeout = '10s'"
const LONGER_MS = 10_300
const LOOK_EVERY_MS = 100

type Waiting = { since: number; giveUp: (error: Error) => void }

/** In the order they started, so a check can stop at the first query with time left. */
const waiting = new Set<Waiting>()

/** The same message as `pg`'s own timeout, so it is classified as transient. */
const overdue = () => new Error('Query read timeout')

const look = () => {
  const before = performance.now() - QUERY_MS
  for (const one of waiting) {
    if (one.since > before) return
    waiting.delete(one)
    one.giveUp(overdue())
  }
}

let isLooking = false

/**
 * Rejects a query that takes too long, unless the returned function is called first. All queries share one timer: setting and
 * clearing one for each of a sale's dozen statements took a tenth of its CPU time.
 */
export const giveUpWhenOverdue = (giveUp: Waiting['giveUp']) => {
  if (!isLooking) setInterval(look, LOOK_EVERY_MS).unref()
  isLooking = true
  const one = { since: performance.now(), giveUp }
  waiting.add(one)
  return () => void waiting.delete(one)
}

/** For queries that may take longer. There are few, so each has its own timer. */
export const giveUpWhenLongOverdue = (giveUp: Waiting['giveUp']) => {
  const timer = setTimeout(() => giveUp(overdue()), LONGER_MS)
  return () => clearTimeout(timer)
}
