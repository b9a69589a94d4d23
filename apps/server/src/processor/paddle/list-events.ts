import { Refusal } from '../../refusal.ts'
import { callApi } from '../call-api.ts'
import { listedEvents, readPages } from '../listing.ts'
import type { ListedAccount, ListedEvent } from '../port.ts'
import { fieldsOf, idOf, itemsOf, momentOf, read } from '../translating/fields.ts'

export const PERMISSIONS = ['Notifications: read', 'Notification settings: read']

/** Paddle's maximum. It keeps events for ninety days. */
const PAGE_SIZE = 200

/** The account's events from the API, newest first, each as a webhook would deliver it, except for the notification's ID. */
export async function* listEvents(
  { programId, apiKey: key }: ListedAccount,
  since: Date,
): AsyncIterable<ListedEvent[]> {
  await refuseOtherAccount(programId, key)
  yield* readPages({}, async (after) => {
    const answer = await get('events', key, { order_by: 'id[DESC]', ...after })
    const events = itemsOf(answer.data).map(fieldsOf)
    const current = events.filter(({ occurred_at }) => (momentOf(occurred_at) ?? since) >= since)
    const isLast = current.length < events.length || read(answer, 'meta', 'pagination', 'has_more') !== true
    const last = isLast ? null : idOf(events.at(-1)?.event_id)
    return { events: listedEvents(current, 'event_id'), next: last && { after: last } }
  })
}

/** Events name no account: a key of another one would credit its payments here. */
const refuseOtherAccount = async (programId: number, key: string | null) => {
  const { data } = await get('notification-settings', key, {})
  const path = `/api/v1/processor/paddle/webhook/${programId}`
  if (itemsOf(data).some((destination) => String(read(destination, 'destination')).endsWith(path))) return
  throw new Refusal(
    'conflict',
    `The API key belongs to a Paddle account without a notification destination for this program (…${path}). Use a key of the connected account.`,
  )
}

const get = (path: string, key: string | null, query: Record<string, string>) =>
  callApi(`https://api.paddle.com/${path}?${new URLSearchParams({ per_page: String(PAGE_SIZE), ...query })}`, {
    label: 'Paddle',
    key,
    permission: PERMISSIONS.join(', '),
  })
