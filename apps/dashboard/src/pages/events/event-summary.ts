import type { TrackingEvent, TrackingEventRow } from '@tributary/contract'
import { formatCountry, formatMoney } from '~/components/format/format.ts'

const text = (value: unknown) => (typeof value === 'string' && value ? value : null)

/** The most useful details of an event, by type. */
export const eventDetails = ({ eventType, details }: TrackingEvent): string[] => {
  const facts = {
    click: () => [country(details.country), text(details.device), text(details.browser)],
    lead: () => [text(details.email), details.state === 'provisional' && 'no customer key yet'],
    sale: () => [money(details), text(details.invoiceId), assigned(details)],
  }[eventType]()
  return facts.filter((fact) => typeof fact === 'string')
}

/** A sale that a member credited or moved, or one without a credited partner. */
const assigned = ({ attributed, assignedTo }: TrackingEvent['details']) => {
  if (text(assignedTo)) return attributed === false ? `credited manually to ${assignedTo}` : `moved to ${assignedTo}`
  return attributed === false && 'not credited'
}

const country = (code: unknown) => (text(code) ? formatCountry(String(code)) : null)

const money = ({ amountCents, currency }: TrackingEvent['details']) =>
  typeof amountCents === 'number' && text(currency) ? formatMoney(amountCents, String(currency)) : null

/** One line: the partner and the main details. */
export const summarizeEvent = (event: TrackingEventRow) =>
  [event.partnerName, ...eventDetails(event)].filter(Boolean).join(' · ') || (event.test ? 'Test event' : 'No partner')
