import type { TrackingEventRow } from '@tributary/contract'
import type { Fact } from '~/components/facts/fact-list.tsx'
import { Json } from '~/components/facts/json.tsx'
import { formatCountry, formatMoney, formatTime } from '~/components/format/format.ts'
import { fieldLabel } from '~/components/format/labels.ts'
import { reasonText } from '../explain/reason-text.ts'
import { PartnerCell } from '../partners/partner-link.tsx'

const LABELS: Record<string, string> = {
  pageUrl: 'Page',
  pageTitle: 'Page title',
  referrerUrl: 'Referrer',
  sessionId: 'Session',
  screenResolution: 'Screen',
  viewportSize: 'Viewport',
  operatingSystem: 'Operating system',
  settledBy: 'Credited by',
  settledAt: 'Credited at',
  confirmedBy: 'Confirmed by',
  invoiceId: 'Invoice',
  eventName: 'Event name',
  subscriptionId: 'Subscription',
  reused: 'Returning visitor',
  attributed: 'Credited',
  reason: 'Reason',
  aff: 'Link code',
  assignedTo: 'Credited manually to',
  state: 'Status',
}

const SOURCES = { server: 'Your server', browser: 'Browser', processor: 'Payment processor' }

const VALUES: Record<string, Record<string, string>> = {
  settledBy: SOURCES,
  confirmedBy: SOURCES,
  state: { settled: 'Credited', provisional: 'Provisional' },
}

const detailLabel = (name: string) => LABELS[name] ?? fieldLabel(name)

const renderDetail = (name: string, value: unknown) => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') return <Json label={detailLabel(name)} value={value} />
  if (name === 'settledAt') return formatTime(String(value))
  if (name === 'country') return formatCountry(String(value))
  if (name in VALUES) return VALUES[name]?.[String(value)] ?? String(value)
  return name === 'reason' ? reasonText(String(value)) : String(value)
}

/** Test events may have no currency. */
const eventAmount = (amountCents: number, currency: unknown) =>
  typeof currency === 'string' ? formatMoney(amountCents, currency) : String(amountCents)

/** Every field of an event, most useful first. */
export const eventFacts = (event: TrackingEventRow): Fact[] => {
  const { amountCents, currency, ...details } = event.details
  const known: (Fact | false)[] = [
    { label: 'When', value: formatTime(event.timestamp) },
    typeof amountCents === 'number' && { label: 'Amount', value: eventAmount(amountCents, currency) },
    event.partnerId !== null && { label: 'Partner', value: <PartnerCell row={event} whole /> },
    event.customerKey !== null && { label: 'Customer key', value: event.customerKey, copy: event.customerKey },
    event.clickId !== null && { label: 'Click ID', value: event.clickId, copy: event.clickId },
    event.linkId !== null && { label: 'Link code', value: event.aff ?? String(event.linkId) },
    { label: 'Event ID', value: event.id },
  ]
  const others = Object.entries(details)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]): Fact => ({ label: detailLabel(name), value: renderDetail(name, value) }))
  return [...known.filter((fact) => fact !== false), ...others]
}
