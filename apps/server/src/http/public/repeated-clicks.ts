import type { Clock } from '../../clock.ts'
import type { RecordedClick } from '../../tracking/record-click.ts'
import type { JsonObject } from '../read-json.ts'

const REMEMBERED_MS = 600_000
const MAX_REMEMBERED = 20_000

/**
 * A page that is left at once never sees its click's answer, and its script sends the click again on the next page.
 * That is one click: the second call waits for the first, or is given its answer. The script names its click by
 * `session_id` and `visit_id`; calls without the latter are none of its own and are recorded each.
 *
 * Only this process remembers. A repetition that reaches another one is counted twice, and none is ever lost.
 */
export const rememberingClicks = (clock: Clock) => {
  const answers = new Map<string, { at: number; click: Promise<RecordedClick> }>()
  return (body: JsonObject, record: () => Promise<RecordedClick>): Promise<RecordedClick> => {
    if (typeof body.visit_id !== 'number' || typeof body.session_id !== 'string') return record()
    const key = `${body.visit_id} ${body.session_id.slice(0, 128)}`
    const known = answers.get(key)
    const now = clock().getTime()
    if (known && now - known.at < REMEMBERED_MS) return known.click
    const click = record()
    answers.set(key, { at: now, click })
    // What was refused, or not recorded for bad weather, may be tried again.
    click.catch(() => answers.delete(key))
    // A map keeps the order of its entries, so the first is the oldest.
    const [oldest] = answers.keys()
    if (answers.size > MAX_REMEMBERED && oldest) answers.delete(oldest)
    return click
  }
}
