import type { HeardReport } from './payment-report.ts'

/**
 * The latest moment at which it can have happened. As of the beginning of its second, a payment would have been made before a
 * click or a reward of that very second, and credited to nobody. Nothing happens after we have heard of it.
 */
export const latestMoment = ({ at, withinMs = 0, heardAt }: HeardReport): number => {
  const latest = at.getTime() + withinMs
  return heardAt ? Math.min(latest, Math.max(at.getTime(), heardAt.getTime())) : latest
}

/** What it says, to choose by between two that are equal otherwise: never by when we heard of it. */
export const wordsOf = ({ heardAt: _, ...words }: HeardReport) => JSON.stringify(words)
