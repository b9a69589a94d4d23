import type { Clock } from '../../clock.ts'
import { type ClickIdentity, newClickIdentity, type RecordedClick } from '../../tracking/clicks/record-click.ts'
import type { JsonObject } from '../read-json.ts'

const REMEMBERED_MS = 600_000
const MAX_REMEMBERED = 20_000

type Visit = { at: number; name: ClickIdentity; click: Promise<RecordedClick> | null }

/**
 * A page that is left at once never sees its click's answer, and its script sends the click again on the next page.
 * That is one click: the second call waits for the first, or is given its answer. The script names its click by
 * `session_id` and `visit_id`; calls without the latter are none of its own and are recorded each, and so is another link's click
 * by the same name.
 *
 * What was refused, or not answered by the database, may be tried again. It keeps its name, because a database that did not
 * answer may have committed it all the same.
 *
 * Only this process remembers. A repetition that reaches another one is counted twice, and none is ever lost.
 */
export const rememberingClicks = (clock: Clock) => {
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
    // A map keeps the order of its entries, so the first is the oldest.
    const [oldest] = visits.keys()
    if (visits.size > MAX_REMEMBERED && oldest) visits.delete(oldest)
    return click
  }
}
