import { z } from 'zod'
import { cents, plainText, rowId, timestamp } from '../fields.ts'
import { pageQuery, searchWord, sortedBy } from '../lists.ts'
import { PARTNER_STATUSES } from '../names.ts'
import { amounts } from '../tracking/events.ts'
import { currency } from './currency.ts'
import { named } from './money.ts'
import { PAYOUT_METHODS, payoutDetails } from './payout-details.ts'

export const PAYOUT_LINE_STATES = ['open', 'paid', 'failed'] as const

export const emptied = z
  .boolean()
  .describe(
    '`failed` because nothing was left to pay: all of it had been taken back or disputed. No payment went wrong',
  )

/** What the person who marked a line paid said about the payment. */
export const payment = {
  reference: z.string().nullable().describe('Your reference of the payment'),
  paidAt: z.string().nullable().describe('The day the payment was made, such as 2026-11-17; null if nobody gave one'),
}

/** Whether a payment file can have the partner. */
const destinationState = {
  needsDetails: z
    .boolean()
    .describe('The partner has given no usable payout details, so the line is in no payment file'),
  destinationChangedAt: timestamp.nullable().describe('When the held destination was changed; null without a hold'),
  destinationHeldUntil: timestamp
    .nullable()
    .describe('The destination changed recently: payment files leave the partner out until then. Null without a hold'),
}

export const payoutLine = z.strictObject({
  id: z.int(),
  partnerId: z.int(),
  ...named,
  currency: z.string(),
  status: z.enum(PAYOUT_LINE_STATES),
  amountCents: z
    .int()
    .describe(
      'What is to be paid now: refunds that came meanwhile are taken off. Once paid, what was paid; once failed, what was to be paid and went back to the balance',
    ),
  reservedCents: z.int().describe('What it was when the batch was made'),
  exportedCents: z
    .int()
    .nullable()
    .describe('The highest amount in any exported file, which `paid` books unless `amountCents` is given'),
  exportedAt: timestamp.nullable().describe('When a file first had the line with `exportedCents`; null if none did'),
  emptied,
  decidedAt: timestamp.nullable(),
  ...payment,
  method: z
    .enum(PAYOUT_METHODS)
    .nullable()
    .describe(
      'The payment file that has the line, or else the method in the payout details. Null without details, and for members who may not pay',
    ),
  ...destinationState,
  partnerStatus: z
    .enum(PARTNER_STATUSES)
    .describe('Now. An open line of a partner who is not `approved` is in no payment file'),
  payoutDetails: payoutDetails
    .nullable()
    .describe('Where the partner wants their money now. Null where they have not said it, and for who may not pay'),
})

export const payoutLinesQuery = pageQuery.extend({
  status: z.enum(PAYOUT_LINE_STATES).optional(),
  search: searchWord.describe('A part of the name of the partner'),
  sort: sortedBy(['partnerName', 'amountCents', 'decidedAt'], 'partnerName'),
})
export type PayoutLinesQuery = z.infer<typeof payoutLinesQuery>

export const payoutSummary = z.strictObject({
  id: z.int(),
  createdAt: timestamp,
  lineCount: z.int(),
  openCount: z.int(),
  amounts: amounts.describe('What it pays or has paid, without the lines that failed'),
})
export const payout = z.strictObject({ id: z.int(), createdAt: timestamp, lines: z.array(payoutLine) })
export const payoutsQuery = pageQuery.extend({
  state: z.enum(['open', 'done']).optional().describe('`open`: a line of it is still to be decided'),
  sort: sortedBy(['createdAt', 'lineCount'], '-createdAt'),
})
export type PayoutsQuery = z.infer<typeof payoutsQuery>
export const payoutPreview = z.array(
  z.strictObject({ partnerId: z.int(), ...named, currency: z.string(), amountCents: z.int(), ...destinationState }),
)

export const createPayoutRequest = z.object({
  excludePartnerIds: z
    .array(rowId)
    .max(10_000)
    .default([])
    .describe('Partners to leave out of this payout; their balance stays payable'),
})

export const PAYOUT_FILE_FORMATS = ['csv', 'paypal', 'wise'] as const
export type PayoutFileFormat = (typeof PAYOUT_FILE_FORMATS)[number]

export const exportPayoutRequest = z.object({
  format: z
    .enum(PAYOUT_FILE_FORMATS)
    .describe(
      '`csv`: every line. `paypal`, `wise`: the open lines to be paid that way, or what was paid once none is open',
    ),
  currency: currency.optional().describe('Only this currency; a PayPal or Wise file has one'),
})

export const decidePayoutLineRequest = z.object({
  status: z.enum(['paid', 'failed']),
  amountCents: cents
    .min(0)
    .optional()
    .describe('What was sent. By default the highest exported amount, or what is due if nothing was exported'),
  reference: plainText(255)
    .nullish()
    .describe('Your reference of the payment, such as a transaction ID; only for `paid`'),
  paidAt: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be an ISO 8601 date such as 2026-11-17')
    .nullish()
    .describe('The day the payment was made, not in the future; only for `paid`'),
})
