import type { RewardAnswer } from '@tributary/contract'
import type { AuditEntry } from '~/api/audit.ts'
import { stateLabel } from '~/components/badge.tsx'
import { formatCalendarDate, formatMoney, formatTime } from '~/components/format/format.ts'
import { labelOfField } from '~/components/format/labels.ts'
import { zoneName } from '~/components/format/time-zone.ts'
import { METHODS } from '../partners/payout-methods.ts'
import { PROGRAM_CHOICES, PROGRAM_LABELS } from './program-labels.ts'
import { REWARD_LABELS, rewardWords } from './rewards/reward-words.ts'
import { ROLE_WORDS } from './team/role-words.ts'

type Fields = Record<string, unknown>
type Choices = Record<string, string>

const LABELS: Record<string, string> = {
  ...PROGRAM_LABELS,
  ...REWARD_LABELS,
  email: 'E-mail',
  emails: 'E-mail addresses',
  code: 'Code',
  aff: 'aff value',
  destinationUrl: 'Page it leads to',
  partnerId: 'Partner ID',
  id: 'ID',
  payoutId: 'Payout ID',
  own: 'Custom terms',
  validFrom: 'Valid from',
  version: 'Terms version',
  accountId: 'Account ID',
  kind: 'Connection',
  holder: 'Account holder',
  lines: 'Payout lines',
  excludePartnerIds: 'Partner IDs left out',
  amountCents: 'Amount',
  leftCents: 'Commission left',
  reservedCents: 'Reserved',
  exportedCents: 'Highest exported amount',
  batchedCents: 'Still reserved',
  paidCents: 'Paid',
  returnedCents: 'Returned to the balance',
  emptied: 'Nothing left to pay',
  decidedAt: 'Decided',
  revokedAt: 'Revoked',
  paidAt: 'Paid on',
  fileMethod: 'Payment file',
  fileAccount: 'Account in the file',
}

const CHOICES: Record<string, Choices> = {
  ...PROGRAM_CHOICES,
  method: METHODS,
  fileMethod: METHODS,
  format: { csv: 'CSV', paypal: 'PayPal', wise: 'Wise' },
  kind: { own: 'Own account', platform: 'Platform account' },
  role: Object.fromEntries(Object.entries(ROLE_WORDS).map(([role, { label }]) => [role, label])),
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
const isTime = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)

const textOf = (name: string, text: string) => {
  if (name === 'status') return stateLabel(text)
  if (name === 'timezone') return zoneName(text)
  if (isDay(text)) return formatCalendarDate(text)
  return isTime(text) ? formatTime(text) : (CHOICES[name]?.[text] ?? text)
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** A part of a list: a word, or a line of a payout. */
const partOf = (name: string, part: unknown, currency: string) => {
  if (!isFields(part)) return shown(name, part, currency)
  const { partnerId, amountCents } = part
  const own = typeof part.currency === 'string' ? part.currency : currency
  return typeof amountCents === 'number'
    ? `Partner ${partnerId}: ${formatMoney(amountCents, own)}`
    : JSON.stringify(part)
}

/** A value as people read it. */
const shown = (name: string, value: unknown, currency: string): string => {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return name.endsWith('Cents') ? formatMoney(value, currency) : String(value)
  if (typeof value === 'string') return textOf(name, value)
  if (Array.isArray(value)) return value.map((part) => partOf(name, part, currency)).join('\n') || 'None'
  if (name === 'sale' || name === 'lead')
    return rewardWords({ sale: null, lead: null, [name]: value, currency } as Pick<
      RewardAnswer,
      'sale' | 'lead' | 'currency'
    >)
  return JSON.stringify(value, null, 1)
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** Ids that say nothing to people. */
const HIDDEN = ['workspaceId']

/** The fields that an entry changed, with their labels and readable values. */
export const changesOf = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>, programCurrency: string) => {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const currencyOf = (one: Fields, other: Fields) => String(one.currency ?? other.currency ?? programCurrency)
  return Object.keys(now)
    .filter((name) => !HIDDEN.includes(name))
    .map((name) => ({
      name,
      label: LABELS[name] ?? labelOfField(name),
      before: shown(name, old[name], currencyOf(old, now)),
      after: shown(name, now[name], currencyOf(now, old)),
    }))
    .filter((row) => row.before !== row.after)
}
