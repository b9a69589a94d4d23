import type { TrackingEvent } from '@tributary/contract'
import { formatCountry, formatMoney } from '~/components/format.ts'

const text = (value: unknown) => (typeof value === 'string' && value ? value : null)

/** One line about an event: whose it is, and what is worth knowing of its kind. */
export const summaryOf = (event: TrackingEvent, partner: string | null) =>
  [partner, ...factsOf(event)].filter(Boolean).join(' · ') || (event.test ? 'Test event' : 'No partner')

const factsOf = ({ eventType, details, customerKey }: TrackingEvent) => {
  if (eventType === 'click') {
    const country = text(details.country)
    return [country && formatCountry(country), text(details.device), text(details.browser)]
  }
  if (eventType === 'lead')
    return [customerKey ?? text(details.email), details.state === 'provisional' && 'provisional']
  const { amountCents, currency } = details
  const amount = typeof amountCents === 'number' && text(currency) ? formatMoney(amountCents, String(currency)) : null
  return [amount, customerKey, details.attributed === false && 'not credited']
}
