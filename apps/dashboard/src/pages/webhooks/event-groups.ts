import { PUBLISHED_EVENT_TYPES, type PublishedEventType } from '@tributary/contract/event-types'

type EventObject = PublishedEventType extends `${infer Name}.${string}` ? Name : never

/** Of every object but tests, so that a new one cannot be forgotten here. */
const TITLES: Record<Exclude<EventObject, 'test'>, string> = {
  partner: 'Partners',
  link: 'Links',
  code: 'Promotion codes',
  lead: 'Leads',
  sale: 'Sales',
  commission: 'Commissions',
  payout: 'Payouts',
  terms: 'Terms',
  processor: 'Payment processor',
}

/** Types by the object they are about. Test events go to an endpoint whatever it receives, so they cannot be chosen. */
export const EVENT_GROUPS: { title: string; types: PublishedEventType[] }[] = Object.entries(TITLES).map(
  ([object, title]) => ({ title, types: PUBLISHED_EVENT_TYPES.filter((type) => type.startsWith(`${object}.`)) }),
)

export const ALL_EVENTS = '*'

const SHOWN = 2

/** "All events", or the first types and how many more. */
export const eventsLabel = (events: string[]) => {
  if (events.includes(ALL_EVENTS)) return 'All events'
  const more = events.length - SHOWN
  return events.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
