/** Slightly longer than Postgres' own statement timeout, and short enough to respond within three seconds. */
export const QUERY_TIMEOUT_MS = 2_800
/** Raises the timeout for one transaction (transaction.ts). */
export const RAISE_STATEMENT_TIMEOUT = "SET LOCAL statement_timeout = '10s'"
const LONG_TIMEOUT_MS = 10_300
const CHECK_EVERY_MS = 100

type PendingQuery = { since: number; onTimeout: (error: Error) => void }

/** In the order they started, so a check can stop at the first query with time left. */
const waiting = new Set<PendingQuery>()

/** The same message as `pg`'s own timeout, so it is classified as transient. */
const timeoutError = () => new Error('Query read timeout')

const checkTimeouts = () => {
  const before = performance.now() - QUERY_TIMEOUT_MS
  for (const entry of waiting) {
    if (entry.since > before) return
    waiting.delete(entry)
    entry.onTimeout(timeoutError())
  }
}

let isChecking = false

/**
 * Rejects a query that takes too long, unless the returned function is called first. All queries share one timer: setting and
 * clearing one for each of a sale's dozen statements took a tenth of its CPU time.
 */
export const startQueryTimeout = (onTimeout: PendingQuery['onTimeout']) => {
  if (!isChecking) setInterval(checkTimeouts, CHECK_EVERY_MS).unref()
  isChecking = true
  const entry = { since: performance.now(), onTimeout }
  waiting.add(entry)
  return () => void waiting.delete(entry)
}

/** For queries that may take longer. There are few, so each has its own timer. */
export const startLongQueryTimeout = (onTimeout: PendingQuery['onTimeout']) => {
  const timer = setTimeout(() => onTimeout(timeoutError()), LONG_TIMEOUT_MS)
  return () => clearTimeout(timer)
}
