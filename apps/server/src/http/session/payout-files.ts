import { z } from 'zod'
import { decimal } from '../../money/decimal.ts'
import { Refusal } from '../../refusal.ts'
import type { Cell } from '../csv.ts'

export type PayoutFileLine = {
  id: number
  payoutId: number
  partnerId: number
  currency: string
  amountCents: number
  name?: string
  email?: string | null
  code?: string
  /** What the partner has asked for, where they have. */
  payoutDetails: { method: string; account: string; holder: string | null } | null
}
type File = {
  /** Null where the first row is already a payment. */
  columns: string[] | null
  row: (line: PayoutFileLine) => Cell[]
  /** Read by a machine that pays by e-mail, one currency a file: the method of those who want to be paid so. */
  pays: 'paypal' | 'wise' | null
}

const reference = ({ payoutId, id }: PayoutFileLine) => `payout-${payoutId}-${id}`
const amount = ({ amountCents, currency }: PayoutFileLine) => decimal(amountCents, currency)

/** The account that the partner has named, or else the address they are known by. */
const recipient = ({ payoutDetails, email }: PayoutFileLine) => payoutDetails?.account ?? email ?? ''
const isAddress = (text: string) => z.email().safeParse(text).success

/** The batch as each receiver wants it. Amounts have the decimals of their currency. */
const PAYOUT_FILES: Record<string, File> = {
  tributary: {
    columns: [
      ...['payout_line_id', 'partner_id', 'partner_code', 'name', 'email', 'amount', 'currency'],
      ...['method', 'account', 'holder'],
    ],
    row: (line) => [
      ...[line.id, line.partnerId, line.code, line.name, line.email, amount(line), line.currency],
      ...[line.payoutDetails?.method, line.payoutDetails?.account, line.payoutDetails?.holder],
    ],
    pays: null,
  },
  // PayPal's payouts file: recipient, amount, currency, the sender's own ID, a note, the wallet. No heading.
  paypal: {
    columns: null,
    row: (line) => [
      { exactly: recipient(line) },
      amount(line),
      line.currency,
      reference(line),
      'Partner commission',
      'PayPal',
    ],
    pays: 'paypal',
  },
  // Wise's batch file for recipients paid by e-mail. The amount is what arrives, so that the fee is not the partner's.
  wise: {
    columns: [
      'name',
      'recipientEmail',
      'paymentReference',
      'amountCurrency',
      'amount',
      'sourceCurrency',
      'targetCurrency',
      'type',
    ],
    row: (line) => [
      line.name,
      { exactly: recipient(line) },
      reference(line),
      'target',
      amount(line),
      line.currency,
      line.currency,
      'EMAIL',
    ],
    pays: 'wise',
  },
}

export const payoutFile = (name: string) => {
  const file = Object.hasOwn(PAYOUT_FILES, name) ? PAYOUT_FILES[name] : undefined
  if (file) return file
  throw new Refusal('invalid_request', `file must be one of ${Object.keys(PAYOUT_FILES).join(', ')}.`, {
    field: 'file',
  })
}

/**
 * The lines that a file is to have: those of partners who want to be paid so, or have named no way. A file that would be refused or,
 * worse, half paid by its receiver is not made.
 */
export const payableBy = ({ pays }: File, lines: PayoutFileLine[]): PayoutFileLine[] => {
  if (!pays) return lines
  const currencies = [...new Set(lines.map(({ currency }) => currency))]
  if (currencies.length > 1)
    throw new Refusal(
      'invalid_request',
      `This file takes one currency: add currency= with one of ${currencies.join(', ')}.`,
      { field: 'currency' },
    )
  const payable = lines.filter(({ payoutDetails }) => !payoutDetails || payoutDetails.method === pays)
  if (payable.length === 0 && lines.length > 0)
    throw new Refusal(
      'conflict',
      `Nobody in this payout is to be paid so; these partners want to be paid another way: ${lines.map(wishOf).join(', ')}.`,
    )
  const unknown = payable.filter((line) => !isAddress(recipient(line))).map(nameOf)
  if (unknown.length > 0)
    throw new Refusal('conflict', `These partners have no e-mail to pay to: ${unknown.join(', ')}. Add it first.`)
  return payable
}

const nameOf = ({ name, partnerId }: PayoutFileLine) => name ?? `partner ${partnerId}`
const wishOf = (line: PayoutFileLine) => `${nameOf(line)} (${line.payoutDetails?.method})`
