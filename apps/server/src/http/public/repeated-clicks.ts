import type { Clock } from '../../clock.ts'
import { type ClickIdentity, newClickIdentity, type RecordedClick } from '../../tracking/clicks/record-click.ts'
import type { JsonObject } from '../read-json.ts'

const REMEMBERED_MS = 600_000
const MAX_REMEMBERED = 20_000

type Visit = { at: number; name: ClickIdentity; click: Promise<RecordedClick> | null }

/**
 * Deduplicates clicks. A visitor who leaves the page before the response arrives makes the script send the click again on the next
 * page; the second call gets the response of the first. The script identifies a click by `session_id`, `visit_id` and link. Calls
 * without a `visit_id` do not come from the script and are each recorded.
 *
 * A click that failed may be retried under the same name, because the database may have committed it without answering.
 *
 * Each process remembers only its own calls, so a repeat that reaches another process counts twice, but no click is lost.
 */
export const deduplicateClicks = (clock: Clock) => {
  const visits = new Map<string, Visit>()
  return (body: JsonObject, record: (name: ClickIdentity) => Promise<RecordedClick>): Promise<RecordedClick> => {
    const now = clock()
    const { visit_id, session_id, affiliate_url } = body
    const isNamed = typeof visit_id === 'number' && typeof session_id === 'string' && typeof affiliate_url === 'string'
    if (!isNamed) return record(newClickIdentity(now))
    const key = `${Bun.hash(affiliate_url)} ${visit_id} ${session_id.slice(0, 128)}`
    const before = visits.get(key)
    const known = before && now.getTime() - before.at < REMEMBERED_MS ? before : null
    if (known?.click) return known.click
    const visit: Visit = known ?? { at: now.getTime(), name: newClickIdentity(now), click: null }
    const click = record(visit.name)
    visit.click = click
    visits.set(key, visit)
    click.catch(() => {
      visit.click = null
    })
    // Maps keep insertion order, so the first entry is the oldest.
    const [oldest] = visits.keys()
    if (visits.size > MAX_REMEMBERED && oldest) visits.delete(oldest)
    return click
  }
}
