import { z } from 'zod'
import { leadCreditedBy, sale } from '../customers/customers.ts'
import { timestamp } from '../fields.ts'
import { commission } from '../money/money.ts'
import { payoutLine } from '../money/payouts.ts'
import { reward } from '../money/rewards.ts'
import { processorConnection } from '../processor/processor.ts'
import { promotionCode } from '../programs/codes.ts'
import { partner, referralLink } from '../programs/partners.ts'

/** The objects inside events: what the API returns for them, without names of other objects and figures that change with time. */

export const partnerData = partner.pick({
  id: true,
  name: true,
  email: true,
  code: true,
  status: true,
  groupId: true,
  archived: true,
  createdAt: true,
})

export const linkData = referralLink.omit({ clicks: true, lastClicked: true })

export const codeData = promotionCode.pick({
  id: true,
  code: true,
  partnerId: true,
  active: true,
  requested: true,
  processor: true,
  externalId: true,
  createdAt: true,
})

const customerData = z.strictObject({
  email: z.string().describe('Masked, such as a***@example.com. The full address is never stored'),
})

export const leadData = z.strictObject({
  id: z.int(),
  customerKey: z.string().nullable().describe('Your ID of the customer'),
  customerId: z.string().describe("The customer's click ID"),
  creditedBy: leadCreditedBy,
  linkId: z.int().nullable().describe('The link; null if a code is credited'),
  codeId: z.int().nullable().describe('The promotion code; null if a link is credited'),
  partnerId: z.int(),
  leadAt: timestamp.describe('When the lead was credited. ISO 8601 in UTC, with milliseconds'),
  customer: customerData
    .optional()
    .describe('Only in deliveries to endpoints with `includeCustomerData`, if the address is known'),
})

export const saleData = sale
  .pick({
    id: true,
    invoiceId: true,
    customerKey: true,
    customerId: true,
    amountCents: true,
    refundedCents: true,
    currency: true,
    state: true,
    reason: true,
    creditedBy: true,
    linkId: true,
    codeId: true,
    promotionCode: true,
    partnerId: true,
    soldAt: true,
    creditedAt: true,
    eventName: true,
    subscriptionId: true,
    disputed: true,
    adjustmentId: true,
  })
  .extend({
    voidedAt: timestamp.nullable().describe('When the sale was merged into another sale of the same payment'),
    mergedInto: z.int().nullable().describe('The sale it was merged into, if that is in the same program'),
  })

export const commissionData = commission
  .pick({
    id: true,
    kind: true,
    partnerId: true,
    saleId: true,
    leadId: true,
    amountCents: true,
    reversedCents: true,
    currency: true,
    state: true,
    paidCents: true,
    disputedCents: true,
    payableAt: true,
    earnedAt: true,
    termsVersion: true,
    reviewReasons: true,
    voidReason: true,
    byHand: true,
  })
  .extend({
    state: commission.shape.state.describe(
      'Suspending a partner does not change the state of their commissions; payouts leave them out',
    ),
  })

export const payoutData = payoutLine
  .pick({
    id: true,
    partnerId: true,
    currency: true,
    status: true,
    amountCents: true,
    reservedCents: true,
    emptied: true,
    decidedAt: true,
    reference: true,
    paidAt: true,
  })
  .extend({
    id: z.int().describe('ID of the payout line: one partner and currency'),
    payoutId: z.int(),
    createdAt: timestamp,
  })

export const termsData = z.strictObject({
  subject: z.enum(['reward', 'agreement']).describe('Reward terms, or the agreement that partners accept'),
  version: z.int().describe('The new version'),
  groupId: z
    .int()
    .nullable()
    .describe('The group whose terms changed; null for default terms, custom terms of a partner, and agreements'),
  partnerId: z.int().nullable().describe('The partner whose custom terms changed; null if they are not custom terms'),
  reward: reward
    .omit({ version: true, validFrom: true, own: true })
    .nullable()
    .describe('The new terms. Null for an agreement, and if custom terms ended and inherited ones apply again'),
  validFrom: timestamp,
})

export const processorData = processorConnection
  .pick({
    status: true,
    kind: true,
    accountId: true,
    chargesEnabled: true,
    payoutsEnabled: true,
    detailsSubmitted: true,
  })
  .extend({
    processor: z
      .string()
      .optional()
      .describe('The name of the payment processor; absent in events from before there were several'),
  })

export const pingData = z.strictObject({ message: z.string() })
