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
  payoutDetails: { method: string; account: string } | null
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
    columns: ['payout_line_id', 'partner_id', 'partner_code', 'name', 'email', 'amount', 'currency'],
    row: (line) => [line.id, line.partnerId, line.code, line.name, line.email, amount(line), line.currency],
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

/** A file that would be refused or, worse, half paid by its receiver is not made. */
export const refuseUnpayable = ({ pays }: File, lines: PayoutFileLine[]) => {
  if (!pays) return
  const currencies = [...new Set(lines.map(({ currency }) => currency))]
  if (currencies.length > 1)
    throw new Refusal(
      'invalid_request',
      `This file takes one currency: add currency= with one of ${currencies.join(', ')}.`,
      { field: 'currency' },
    )
  const otherwise = lines.filter(({ payoutDetails }) => payoutDetails && payoutDetails.method !== pays)
  if (otherwise.length > 0)
    throw new Refusal(
      'conflict',
      `These partners want to be paid another way: ${otherwise.map(wishOf).join(', ')}. Pay them so and mark their lines paid; this file then has the rest.`,
    )
  const unknown = lines.filter((line) => !isAddress(recipient(line))).map(({ partnerId }) => partnerId)
  if (unknown.length > 0)
    throw new Refusal('conflict', `These partners have no e-mail to pay to: ${unknown.join(', ')}. Add it first.`)
}

const wishOf = ({ partnerId, payoutDetails }: PayoutFileLine) => `${partnerId} (${payoutDetails?.method})`
