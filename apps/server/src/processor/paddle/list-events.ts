import type { ListedAccount, ListedEvent } from '../port.ts'
import { readApi } from '../read-api.ts'
import { fieldsOf, idOf, itemsOf, momentOf, read } from '../translating/fields.ts'

const API = 'https://api.paddle.com'

/** Paddle's maximum page size. It keeps events for ninety days. */
const PAGE_SIZE = 200

/** The account's events from the API, newest first, each as a webhook would deliver it, except for the notification's ID. */
export async function* listEvents({ apiKey }: ListedAccount, since: Date): AsyncIterable<ListedEvent[]> {
  for (let after: string | null = null; ; ) {
    const query = new URLSearchParams({ per_page: String(PAGE_SIZE), order_by: 'id[DESC]', ...(after && { after }) })
    const answer = await readApi(`${API}/events?${query}`, {
      label: 'Paddle',
      key: apiKey,
      permission: 'Notifications: read',
    })
    const events = itemsOf(answer.data).map(fieldsOf)
    const current = events.filter(({ occurred_at }) => (momentOf(occurred_at) ?? since) >= since)
    yield current.flatMap((event) => {
      const id = idOf(event.event_id)
      return id ? [{ id, text: JSON.stringify(event) }] : []
    })
    after = idOf(events.at(-1)?.event_id)
    if (!after || current.length < events.length || read(answer, 'meta', 'pagination', 'has_more') !== true) return
  }
}
