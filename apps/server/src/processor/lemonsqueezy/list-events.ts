import { Refusal } from '../../refusal.ts'
import { callApi } from '../call-api.ts'
import { readPages } from '../listing.ts'
import type { ListedAccount, ListedEvent } from '../port.ts'
import { type Fields, fieldsOf, itemsOf, momentOf, read } from '../translating/fields.ts'
import { readEvent } from './read-event.ts'

const API = 'https://api.lemonsqueezy.com/v1'
const PAGE_SIZE = '100'

const PAID = ['paid', 'partial_refund', 'refunded', 'fraudulent']

/** The event for each object, and the one for its refunds. */
const LISTED = [
  { path: 'orders', type: 'order_created', refund: 'order_refunded' },
  { path: 'subscription-invoices', type: 'subscription_payment_success', refund: 'subscription_payment_refunded' },
  { path: 'subscriptions', type: 'subscription_created', refund: null },
]

/**
 * Lemon Squeezy lists no events, only the objects they were about, newest first and without the custom data of the checkout. So they
 * are marked: the webhook's event can still arrive and say more.
 */
export async function* listEvents({ accountId, apiKey }: ListedAccount, since: Date): AsyncIterable<ListedEvent[]> {
  if (!accountId)
    throw new Refusal('conflict', 'Save your store ID first, so that only payments of that store are read.')
  for (const { path, type, refund } of LISTED)
    yield* readPages(1, async (number) => {
      const page = { 'page[number]': String(number), 'page[size]': PAGE_SIZE }
      const query = new URLSearchParams({ 'filter[store_id]': accountId, sort: '-createdAt', ...page })
      const key = { label: 'Lemon Squeezy', key: apiKey, permission: 'access to your live store' }
      const answer = await callApi(`${API}/${path}?${query}`, key)
      const all = itemsOf(answer.data).map(fieldsOf)
      const current = all.filter(({ attributes }) => (momentOf(read(attributes, 'created_at')) ?? since) >= since)
      const events = current.flatMap((data) => eventsOf(data, { type, refund }))
      const isLast = current.length < all.length || !read(answer, 'links', 'next')
      return { events, next: isLast ? null : number + 1 }
    })
}

const eventsOf = (data: Fields, { type, refund }: { type: string; refund: string | null }): ListedEvent[] => {
  const { status, refunded_amount } = fieldsOf(data.attributes)
  if (refund === null) return toEvent(data, type)
  if (!PAID.includes(String(status))) return []
  const isRefunded = status !== 'paid' || Number(refunded_amount) > 0
  return [...toEvent(data, type), ...(isRefunded ? toEvent(data, refund) : [])]
}

const toEvent = (data: Fields, type: string): ListedEvent[] => {
  const meta = { event_name: type, test_mode: read(data.attributes, 'test_mode') }
  const event = readEvent(JSON.stringify({ meta, data }), new Date(0))
  return event ? [{ id: event.id, text: JSON.stringify({ meta: { ...meta, listed: true }, data }) }] : []
}
