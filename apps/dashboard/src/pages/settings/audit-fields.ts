import type { AuditEntry, RewardAnswer } from '@tributary/contract'
import { stateLabel } from '~/components/badge.tsx'
import { formatCalendarDate, formatCount, formatMoney, formatTime } from '~/components/format/format.ts'
import { fieldLabel } from '~/components/format/labels.ts'
import { zoneName } from '~/components/format/time-zone.ts'
import { METHODS } from '../partners/payout-methods.ts'
import { PROGRAM_CHOICES, PROGRAM_LABELS } from './program/program-labels.ts'
import { describeReward, REWARD_LABELS } from './rewards/reward-text.ts'
import { ROLE_TEXT } from './team/role-text.ts'

type Fields = Record<string, unknown>
type Choices = Record<string, string>

const LABELS: Record<string, string> = {
  ...PROGRAM_LABELS,
  ...REWARD_LABELS,
  email: 'Email',
  emails: 'Email addresses',
  code: 'Code',
  group: 'Group',
  landingPages: 'Landing pages',
  requested: 'Requested by the partner',
  externalId: 'ID at the payment processor',
  applyToEarlier: 'Applied to earlier payments',
  tierRule: 'Tier rule',
  reached: 'Reached',
  aff: 'Link code',
  destinationUrl: 'Destination page',
  partnerId: 'Partner',
  fromPartnerId: 'From partner',
  id: 'ID',
  payoutId: 'Payout ID',
  own: 'Custom terms',
  validFrom: 'Valid from',
  version: 'Version',
  displayName: 'Name for partners',
  accentColor: 'Accent color',
  supportEmail: 'Support email',
  logoUrl: 'Logo',
  fileName: 'File name',
  sizeBytes: 'Size in bytes',
  autoApprove: 'Automatic approval',
  accountId: 'Account ID',
  requireTwoFactor: 'Require two-factor sign-in for payouts and rewards',
  kind: 'Connection',
  holder: 'Account holder',
  lines: 'Payments',
  excludePartnerIds: 'Excluded partners',
  partnerIds: 'Chosen partners',
  draftId: 'Draft ID',
  nextOn: 'Next draft on',
  day: 'Day of the month',
  weekday: 'Weekday (1 is Monday)',
  legalName: 'Legal name',
  taxId: 'Tax ID',
  selfBilling: 'Self-billing',
  released: 'Released',
  amountCents: 'Amount',
  leftCents: 'Net commission',
  reservedCents: 'Reserved',
  exportedCents: 'Highest exported amount',
  batchedCents: 'In payout',
  paidCents: 'Paid',
  returnedCents: 'Returned to balance',
  emptied: 'Nothing to pay',
  decidedAt: 'Updated',
  revokedAt: 'Revoked',
  paidAt: 'Paid on',
  fileMethod: 'Payment file',
  fileAccount: 'Account in file',
}

const CHOICES: Record<string, Choices> = {
  ...PROGRAM_CHOICES,
  method: METHODS,
  fileMethod: METHODS,
  frequency: { off: 'Off', weekly: 'Weekly', twice_monthly: 'Twice a month', monthly: 'Monthly' },
  format: { csv: 'CSV', paypal: 'PayPal', wise: 'Wise' },
  kind: { own: 'Own account', platform: 'Platform account' },
  role: Object.fromEntries(Object.entries(ROLE_TEXT).map(([role, { label }]) => [role, label])),
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
const isTime = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)

const formatText = (name: string, text: string) => {
  if (name === 'status') return stateLabel(text)
  if (name === 'timezone') return zoneName(text)
  if (isDay(text)) return formatCalendarDate(text)
  return isTime(text) ? formatTime(text) : (CHOICES[name]?.[text] ?? text)
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** A list item: a value, or a payment. */
const formatItem = (name: string, part: unknown, currency: string) => {
  if (!isFields(part)) return formatValue(name, part, currency)
  const { partnerId, partner, amountCents } = part
  const itemCurrency = typeof part.currency === 'string' ? part.currency : currency
  if (typeof part.commissions === 'number')
    return `${formatMoney(Number(amountCents), itemCurrency)} in ${formatCount(part.commissions, 'commission')}`
  return typeof amountCents === 'number'
    ? `${partner ?? `Partner ${partnerId}`}: ${formatMoney(amountCents, itemCurrency)}`
    : JSON.stringify(part)
}

const formatValue = (name: string, value: unknown, currency: string): string => {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return name.endsWith('Cents') ? formatMoney(value, currency) : String(value)
  if (typeof value === 'string') return formatText(name, value)
  if (Array.isArray(value)) return value.map((part) => formatItem(name, part, currency)).join('\n') || 'None'
  if (name === 'sale' || name === 'lead')
    return describeReward({ sale: null, lead: null, [name]: value, currency } as Pick<
      RewardAnswer,
      'sale' | 'lead' | 'currency'
    >)
  return JSON.stringify(value, null, 1)
}

const toFields = (value: unknown): Fields => (isFields(value) ? value : {})

/** Internal IDs. */
const HIDDEN = ['workspaceId', 'adjustmentId']

type Changes = Pick<AuditEntry, 'before' | 'after' | 'partnerNames'>

const PARTNER_FIELDS = ['partnerId', 'fromPartnerId', 'partnerIds', 'excludePartnerIds']

/** Puts partners' names in the place of their IDs. */
const nameFields = (fields: Fields, names: AuditEntry['partnerNames']): Fields => {
  const nameOf = (id: unknown) => names[String(id)] ?? id
  const named = (name: string, value: unknown) => {
    if (name === 'lines' && Array.isArray(value))
      return value.map((line) => (isFields(line) ? { ...line, partner: nameOf(line.partnerId) } : line))
    if (!PARTNER_FIELDS.includes(name)) return value
    return Array.isArray(value) ? value.map(nameOf) : nameOf(value)
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, named(name, value)]))
}

/** The changed fields of an entry, with labels and formatted values. */
export const listChanges = ({ before, after, partnerNames }: Changes, programCurrency: string) => {
  const [old, now] = [before, after].map((value) => nameFields(toFields(value), partnerNames)) as [Fields, Fields]
  const pickCurrency = (one: Fields, other: Fields) => String(one.currency ?? other.currency ?? programCurrency)
  return Object.keys(now)
    .filter((name) => !HIDDEN.includes(name))
    .map((name) => ({
      name,
      label: LABELS[name] ?? fieldLabel(name),
      before: formatValue(name, old[name], pickCurrency(old, now)),
      after: formatValue(name, now[name], pickCurrency(now, old)),
    }))
    .filter((row) => row.before !== row.after)
}
