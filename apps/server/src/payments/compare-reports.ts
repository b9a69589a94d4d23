import type { ReceivedReport } from './payment-report.ts'

/** Sorts in descending order by the first value in which two items differ. */
export const byDescending =
  <Item>(...values: ((item: Item) => number | string)[]) =>
  (a: Item, b: Item) => {
    for (const value of values) {
      const [left, right] = [value(a), value(b)]
      if (left !== right) return left > right ? -1 : 1
    }
    return 0
  }

/**
 * The latest time at which the event can have happened, but never after we received it. Processors round down to whole seconds:
 * using the start of the second would put a payment before a click in that same second and leave it uncredited.
 */
export const latestTime = ({ at, withinMs = 0, receivedAt }: ReceivedReport): number => {
  const latest = at.getTime() + withinMs
  return receivedAt ? Math.min(latest, Math.max(at.getTime(), receivedAt.getTime())) : latest
}

/** Breaks ties between reports by content, so that the order of arrival never matters. */
export const tieBreaker = ({ receivedAt: _, ...content }: ReceivedReport) => JSON.stringify(content)
