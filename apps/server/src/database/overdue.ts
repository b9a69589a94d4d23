/** A little longer than Postgres itself gives a statement, and short enough for an answer within three seconds. */
export const QUERY_MS = 2_800
/** For whoever has asked for it (transaction.ts), until the connection is released. */
export const LONGER = "SET LOCAL statement_timeout = '10s'"
const LONGER_MS = 10_300
const LOOK_EVERY_MS = 100

type Waiting = { since: number; giveUp: (error: Error) => void }

/** In the order in which they began, so that whoever looks can stop at the first that has time left. */
const waiting = new Set<Waiting>()

/** In the words of `pg`, for it is the same bad weather. */
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
 * Gives a query up that takes too long, unless the function it answers is called before. One clock for all of them: a timer
 * for each of a sale's dozen statements, set and cleared, was a tenth of what the sale cost the service.
 */
export const giveUpWhenOverdue = (giveUp: Waiting['giveUp']) => {
  if (!isLooking) setInterval(look, LOOK_EVERY_MS).unref()
  isLooking = true
  const one = { since: performance.now(), giveUp }
  waiting.add(one)
  return () => void waiting.delete(one)
}

/** The same for one that may take longer. They are few, so each has its own timer. */
export const giveUpWhenLongOverdue = (giveUp: Waiting['giveUp']) => {
  const timer = setTimeout(() => giveUp(overdue()), LONGER_MS)
  return () => clearTimeout(timer)
}
