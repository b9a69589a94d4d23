import type { PartnerStatus, PayoutFileFormat } from '@tributary/contract'
import { toDecimal } from '@tributary/contract'
import type { Cell } from '@tributary/contract/csv'
import { formatDateTime } from '../../format-time.ts'
import { Refusal } from '../../refusal.ts'

export type PayoutFileLine = {
  id: number
  payoutId: number
  partnerId: number
  currency: string
  status: 'open' | 'paid' | 'failed'
  amountCents: number
  reference: string | null
  paidAt: string | null
  name?: string
  email?: string | null
  code?: string
  method: string | null
  account: string | null
  holder: string | null
  needsDetails: boolean
  destinationHeldUntil: Date | null
  partnerStatus: PartnerStatus
}
type File = {
  /** Null for a file without a header row. */
  columns: string[] | null
  row: (line: PayoutFileLine) => Cell[]
  /** The payment service that reads the file; null for plain CSV. A payment file holds one currency. */
  pays: 'paypal' | 'wise' | null
}

const paymentId = ({ payoutId, id }: PayoutFileLine) => `payout-${payoutId}-${id}`
const amount = ({ amountCents, currency }: PayoutFileLine) => toDecimal(amountCents, currency)
const recipient = ({ account }: PayoutFileLine) => ({ exactly: account ?? '' })

/** The columns of each format. Amounts have the decimals of their currency. */
export const PAYOUT_FILES: Record<PayoutFileFormat, File> = {
  csv: {
    columns: [
      ...['payout_line_id', 'partner_id', 'partner_code', 'name', 'email', 'amount', 'currency'],
      ...['method', 'account', 'holder', 'status', 'paid_at', 'reference', 'needs_details', 'destination_held_until'],
      'partner_status',
    ],
    row: (line) => [
      ...[line.id, line.partnerId, line.code, line.name, line.email, amount(line), line.currency],
      ...[line.method, line.account, line.holder, line.status, line.paidAt, line.reference],
      ...[line.needsDetails, line.destinationHeldUntil, line.partnerStatus],
    ],
    pays: null,
  },
  // PayPal payouts file: recipient, amount, currency, sender's ID, note, wallet. No header row.
  paypal: {
    columns: null,
    row: (line) => [recipient(line), amount(line), line.currency, paymentId(line), 'Partner commission', 'PayPal'],
    pays: 'paypal',
  },
  // Wise batch file for email recipients. The amount is what arrives, so the partner does not pay the fee.
  wise: {
    columns: [
      ...['name', 'recipientEmail', 'paymentReference', 'amountCurrency', 'amount'],
      ...['sourceCurrency', 'targetCurrency', 'type'],
    ],
    row: (line) => [
      ...[line.name, recipient(line), paymentId(line), 'target', amount(line)],
      ...[line.currency, line.currency, 'EMAIL'],
    ],
    pays: 'wise',
  },
}

/**
 * The lines of a file. Plain CSV has every line. A payment file has the open lines of its method. It repeats paid lines only once no
 * open line could still belong to it, because they would be paid again. Throws if the payment service would reject the file.
 */
export const linesOfFile = ({ pays }: File, lines: PayoutFileLine[], timezone: string): PayoutFileLine[] => {
  if (!pays) return lines
  const payable = lines.filter(({ status, amountCents }) => status !== 'failed' && amountCents > 0)
  const mine = payable.filter(({ method }) => method === pays)
  const isWaiting = payable.some(({ method, status }) => status === 'open' && (method === pays || method === null))
  const chosen = isWaiting ? mine.filter((line) => line.status === 'open' && isReady(line)) : mine
  if (chosen.length === 0) throw new Refusal('conflict', whyNoLine(pays, lines, timezone))
  refuseSeveralCurrencies(chosen)
  return chosen
}

const isApproved = ({ partnerStatus }: PayoutFileLine) => partnerStatus === 'approved'
const isReady = (line: PayoutFileLine) => isApproved(line) && !line.needsDetails && !line.destinationHeldUntil

const refuseSeveralCurrencies = (lines: PayoutFileLine[]) => {
  const currencies = [...new Set(lines.map(({ currency }) => currency))].toSorted()
  if (currencies.length > 1)
    throw new Refusal(
      'invalid_request',
      `currency is missing: a payment file holds one currency. Send one of ${currencies.join(', ')}.`,
      {
        field: 'currency',
      },
    )
}

const METHODS: Record<string, string> = { paypal: 'PayPal', wise: 'Wise', bank: 'bank transfer', other: 'other' }
const MAX_NAMED = 10

const whyNoLine = (pays: 'paypal' | 'wise', lines: PayoutFileLine[], timezone: string) => {
  const allOpen = lines.filter(({ status }) => status === 'open')
  const notApproved = allOpen.filter((line) => !isApproved(line))
  const open = allOpen.filter(isApproved)
  const needsDetails = open.filter((line) => line.needsDetails)
  const held = open.filter((line) => !line.needsDetails && line.method === pays && line.destinationHeldUntil)
  const others = open.filter((line) => !line.needsDetails && line.method !== pays)
  return [
    `No line of this payout can be paid by ${METHODS[pays]} right now.`,
    ...listed('Not approved', notApproved, nameOf),
    ...listed('Needs details', needsDetails, nameOf),
    ...listed(
      'Paused because the payout details changed',
      held,
      (line) => `${nameOf(line)} (until ${until(line, timezone)})`,
    ),
    ...listed(
      'Already paid without a payment file',
      lines.filter(({ status, method }) => status === 'paid' && method !== pays),
      nameOf,
    ),
    ...listed('Paid by another method', others, (line) => `${nameOf(line)} (${METHODS[line.method ?? 'other']})`),
  ].join(' ')
}

const listed = (title: string, lines: PayoutFileLine[], textOf: (line: PayoutFileLine) => string) => {
  if (lines.length === 0) return []
  const more = lines.length > MAX_NAMED ? ` and ${lines.length - MAX_NAMED} more` : ''
  return [`${title}: ${lines.slice(0, MAX_NAMED).map(textOf).join(', ')}${more}.`]
}

const nameOf = ({ name, partnerId }: PayoutFileLine) => name ?? `partner ${partnerId}`
const until = ({ destinationHeldUntil }: PayoutFileLine, timeZone: string) =>
  destinationHeldUntil && formatDateTime(destinationHeldUntil, timeZone)
