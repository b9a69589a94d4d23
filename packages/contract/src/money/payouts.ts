import { z } from 'zod'
import { cents, plainText, rowId, timestamp } from '../fields.ts'
import { optionalPageQuery, pageQuery, searchText, sortedBy } from '../lists.ts'
import { PARTNER_STATUSES } from '../names.ts'
import { amounts } from '../tracking/events.ts'
import { currency } from './currency.ts'
import { partnerLabel } from './money.ts'
import { PAYOUT_METHODS, payoutDetails } from './payout-details.ts'

export const PAYOUT_LINE_STATES = ['open', 'paid', 'failed'] as const

export const emptied = z
  .boolean()
  .describe(
    'True if the line is `failed` because everything in it was reversed or disputed, so there was nothing to pay',
  )

/** Entered when a line is marked paid. */
export const payment = {
  reference: z.string().nullable().describe('Your payment reference'),
  paidAt: z.string().nullable().describe('The day the payment was made, such as 2026-11-17; null if not entered'),
}

/** Whether payment files can include the partner. */
const destinationState = {
  needsDetails: z
    .boolean()
    .describe('True if the partner has no usable payout details, so payment files leave the line out'),
  destinationChangedAt: timestamp.nullable().describe('When the 48-hour pause began; null if there is none'),
  destinationHeldUntil: timestamp
    .nullable()
    .describe(
      'Payment files leave the partner out until then, because their payout details or sign-in changed recently; null if payouts are not paused',
    ),
}

export const payoutLine = z.strictObject({
  id: z.int(),
  partnerId: z.int(),
  ...partnerLabel,
  currency: z.string(),
  status: z.enum(PAYOUT_LINE_STATES),
  amountCents: z
    .int()
    .describe(
      'The amount to pay, net of refunds since the payout was created. Once paid, the amount paid; once failed, the amount that returned to the balance',
    ),
  reservedCents: z.int().describe('The amount when the payout was created'),
  exportedCents: z
    .int()
    .nullable()
    .describe('The highest exported amount. Marking the line paid books it, unless you send `amountCents`'),
  exportedAt: timestamp.nullable().describe('When `exportedCents` was first exported; null if the line was not'),
  emptied,
  decidedAt: timestamp.nullable(),
  ...payment,
  note: z.string().nullable().describe('The note of the member who marked the line paid or failed'),
  method: z
    .enum(PAYOUT_METHODS)
    .nullable()
    .describe(
      'The payment file that contains the line, or the method in the payout details. Null without details, and for members without `payout:manage`',
    ),
  ...destinationState,
  partnerStatus: z
    .enum(PARTNER_STATUSES)
    .describe('Current status. Payment files leave out open lines of partners who are not `approved`'),
  payoutDetails: payoutDetails
    .nullable()
    .describe('Current payout details. Null if the partner has none, and for members without `payout:manage`'),
})
export type PayoutLine = z.infer<typeof payoutLine>

export const payoutLinesQuery = pageQuery.extend({
  status: z.enum(PAYOUT_LINE_STATES).optional().describe('Only lines in this status'),
  search: searchText.describe("Part of the partner's name, email address or code"),
  sort: sortedBy(['partnerName', 'amountCents', 'decidedAt'], 'partnerName'),
})
export type PayoutLinesQuery = z.infer<typeof payoutLinesQuery>

/** For your own records; partners do not see them. */
const labels = {
  note: z.string().nullable().describe('Your note about the payout'),
  reference: z.string().nullable().describe('Your reference, such as a booking number'),
}

export const payoutSummary = z.strictObject({
  id: z.int(),
  createdAt: timestamp,
  ...labels,
  lineCount: z.int().describe('Number of lines'),
  openCount: z.int().describe('Lines not yet marked paid or failed'),
  amounts: amounts.describe('Total per currency, without failed lines'),
})
export type PayoutSummary = z.infer<typeof payoutSummary>
export const payout = z.strictObject({ id: z.int(), createdAt: timestamp, ...labels, lines: z.array(payoutLine) })
export type Payout = z.infer<typeof payout>
export const payoutsQuery = pageQuery.extend({
  state: z.enum(['open', 'done']).optional().describe('`open`: at least one line is not marked paid or failed'),
  search: searchText.describe('The number of a payout, part of a partner name, or a payment reference'),
  sort: sortedBy(['createdAt', 'lineCount', 'amountCents'], '-createdAt'),
})
export type PayoutsQuery = z.infer<typeof payoutsQuery>

/** Why a positive balance is not in a payout. */
export const EXCLUSIONS = ['below_minimum', 'pending', 'rejected', 'suspended', 'open_export'] as const
export type Exclusion = (typeof EXCLUSIONS)[number]

export const payoutPreviewQuery = optionalPageQuery.extend({
  excluded: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` also lists positive balances that the payout would leave out'),
})
export const payoutPreview = z.array(
  z.strictObject({
    partnerId: z.int(),
    ...partnerLabel,
    currency: z.string(),
    amountCents: z.int(),
    excludedReason: z
      .enum(EXCLUSIONS)
      .nullable()
      .describe(
        'Null if the payout includes the balance. `below_minimum`: smaller than the minimum payout. `open_export`: an open line was exported and then reduced by a refund; mark it paid or failed first. Otherwise the status of a partner who is not approved',
      ),
    ...destinationState,
  }),
)
export type PayoutPreview = z.infer<typeof payoutPreview>

const partnerIds = z.array(rowId).max(10_000, 'must have at most 10000 partners')
const newLabels = {
  note: plainText(500).nullish().describe('Your note about the payout'),
  reference: plainText(120).nullish().describe('Your reference, such as a booking number'),
}

export const createPayoutRequest = z.object({
  partnerIds: partnerIds
    .min(1, 'must have at least one partner')
    .optional()
    .describe('Only these partners. Without it, everyone with a payable balance'),
  excludePartnerIds: partnerIds
    .default([])
    .describe('Partners to leave out of this payout; their balance stays payable'),
  ...newLabels,
})

export const changePayoutRequest = z.object(newLabels)

export const payoutLineEvent = z.strictObject({
  action: z.enum(['created', 'exported', 'reset', 'paid', 'failed', 'emptied']),
  at: timestamp,
  userName: z.string().nullable().describe('Who did it; null if it happened automatically or the account is gone'),
  amountCents: z.int().nullable(),
  file: z.string().nullable().describe('The format of the exported file: `csv`, `paypal` or `wise`'),
  reference: z.string().nullable(),
  note: z.string().nullable(),
})
export type PayoutLineEvent = z.infer<typeof payoutLineEvent>

export const PAYOUT_FILE_FORMATS = ['csv', 'paypal', 'wise'] as const
export type PayoutFileFormat = (typeof PAYOUT_FILE_FORMATS)[number]

export const exportPayoutRequest = z.object({
  format: z
    .enum(PAYOUT_FILE_FORMATS)
    .describe(
      '`csv` has every line. `paypal` and `wise` have the open lines paid that way or, once none is open, the paid ones',
    ),
  currency: currency.optional().describe('Only lines in this currency. A PayPal or Wise file holds one currency'),
})

export const decidePayoutLineRequest = z.object({
  status: z.enum(['paid', 'failed']).describe('`failed` returns the amount to the balance'),
  amountCents: cents
    .min(0)
    .optional()
    .describe('The amount sent. Defaults to the highest exported amount, or to the amount due if nothing was exported'),
  reference: plainText(255).nullish().describe('Your payment reference, such as a transaction ID. Only for `paid`'),
  paidAt: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be an ISO 8601 date such as 2026-11-17')
    .nullish()
    .describe('The day the payment was made, not in the future. Only for `paid`'),
  note: plainText(500).nullish().describe('A note for your team, such as why the payment failed'),
})
