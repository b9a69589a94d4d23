import { fieldsOf, idOf, momentOf, parseFields } from '../translating/fields.ts'
import { subscriptionEnded, translateBy } from '../translating/reports.ts'
import type { IncomingEvent, Translate } from '../translation.ts'
import { adjustmentChanged } from './adjustment.ts'
import { discountChanged, transactionCompleted } from './transaction.ts'

/** Parses an event's envelope; null if it has no ID, type or data. */
export const readEvent = (text: string, receivedAt: Date): IncomingEvent | null => {
  const event = parseFields(text)
  const [id, type] = [idOf(event.event_id), idOf(event.event_type)]
  const object = fieldsOf(event.data)
  if (!id || !type || Object.keys(object).length === 0) return null
  return {
    processor: 'paddle',
    id,
    type,
    createdAt: momentOf(event.occurred_at) ?? receivedAt,
    receivedAt,
    // Paddle's webhook simulator. Events of a sandbox account look like live ones: the endpoint says that it is for tests.
    livemode: !id.startsWith('ntfsim'),
    accountId: null,
    apiVersion: null,
    object,
  }
}

const BY_TYPE: Record<string, Translate> = {
  'transaction.completed': transactionCompleted,
  'adjustment.created': adjustmentChanged,
  'adjustment.updated': adjustmentChanged,
  'subscription.canceled': subscriptionEnded,
  'discount.created': discountChanged,
  'discount.updated': discountChanged,
}

export const translate = translateBy(BY_TYPE)

/** The event types a merchant subscribes a destination to. */
export const EVENT_TYPES = [...Object.keys(BY_TYPE), 'customer.created', 'customer.updated']
