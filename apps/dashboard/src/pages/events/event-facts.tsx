import type { TrackingEventRow } from '@tributary/contract'
import type { Fact } from '~/components/facts/fact-list.tsx'
import { Json } from '~/components/facts/json.tsx'
import { formatCountry, formatMoney, formatTime } from '~/components/format/format.ts'
import { labelOfField } from '~/components/format/labels.ts'
import { sentenceFor } from '../explain/reason-words.ts'
import { PartnerOf } from '../partners/partner-link.tsx'

const LABELS: Record<string, string> = {
  pageUrl: 'Page',
  pageTitle: 'Page title',
  referrerUrl: 'Came from',
  sessionId: 'Session',
  screenResolution: 'Screen',
  viewportSize: 'Viewport',
  operatingSystem: 'System',
  settledBy: 'Settled by',
  settledAt: 'Settled at',
  confirmedBy: 'Confirmed by',
  invoiceId: 'Invoice',
  eventName: 'Event name',
  subscriptionId: 'Subscription',
  reused: 'Returning visitor',
  attributed: 'Credited',
  reason: 'Why not',
  aff: 'aff',
}

const SOURCES = { server: 'Your server', browser: 'The browser', processor: 'The payment processor' }

const VALUES: Record<string, Record<string, string>> = {
  settledBy: SOURCES,
  confirmedBy: SOURCES,
  state: { settled: 'Settled', provisional: 'Provisional' },
}

const labelOf = (name: string) => LABELS[name] ?? labelOfField(name)

const shown = (name: string, value: unknown) => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') return <Json label={labelOf(name)} value={value} />
  if (name === 'settledAt') return formatTime(String(value))
  if (name === 'country') return formatCountry(String(value))
  if (name in VALUES) return VALUES[name]?.[String(value)] ?? String(value)
  return name === 'reason' ? sentenceFor(String(value)) : String(value)
}

/** A test says no currency. */
const amountOf = (amountCents: number, currency: unknown) =>
  typeof currency === 'string' ? formatMoney(amountCents, currency) : String(amountCents)

/** Every field that an event has, the telling ones first. */
export const factsOfEvent = (event: TrackingEventRow): Fact[] => {
  const { amountCents, currency, ...details } = event.details
  const known: (Fact | false)[] = [
    { label: 'When', value: formatTime(event.timestamp) },
    typeof amountCents === 'number' && { label: 'Amount', value: amountOf(amountCents, currency) },
    event.partnerId !== null && { label: 'Partner', value: <PartnerOf row={event} whole /> },
    event.customerKey !== null && { label: 'Customer', value: event.customerKey, copy: event.customerKey },
    event.clickId !== null && { label: 'Click ID', value: event.clickId, copy: event.clickId },
    event.linkId !== null && { label: 'Link', value: event.aff ?? String(event.linkId) },
    { label: 'Event ID', value: event.id },
  ]
  const others = Object.entries(details)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]): Fact => ({ label: labelOf(name), value: shown(name, value) }))
  return [...known.filter((fact) => fact !== false), ...others]
}
