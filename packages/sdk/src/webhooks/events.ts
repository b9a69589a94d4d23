/** The events that a Tributary service sends. Amounts are in minor units, times are ISO 8601 in UTC. */

export type PartnerData = {
  id: number
  name: string
  email: string | null
  code: string
  status: 'pending' | 'approved' | 'rejected' | 'suspended'
  groupId: number
  archived: boolean
  createdAt: string
}

export type LinkData = {
  id: number
  aff: string
  partnerId: number | null
  destinationUrl: string | null
  active: boolean
  createdAt: string
}

export type CodeData = {
  id: number
  code: string
  partnerId: number
  active: boolean
  requested: boolean
  processor: string | null
  externalId: string | null
  createdAt: string
}

export type LeadData = {
  id: number
  customerKey: string | null
  customerId: string
  creditedBy: 'click' | 'code' | 'imported'
  linkId: number | null
  codeId: number | null
  partnerId: number
  leadAt: string
  /** Present if the endpoint includes customer data and the address is known. Masked, such as a***@example.com. */
  customer?: { email: string } | undefined
}

export type SaleData = {
  id: number
  invoiceId: string
  customerKey: string | null
  customerId: string | null
  amountCents: number
  refundedCents: number
  currency: string
  state: 'credited' | 'uncredited'
  reason: string | null
  creditedBy: 'click' | 'code' | 'manual' | 'imported' | null
  linkId: number | null
  codeId: number | null
  promotionCode: string | null
  partnerId: number | null
  soldAt: string
  creditedAt: string | null
  eventName: string | null
  subscriptionId: string | null
  disputed: boolean
  adjustmentId: number | null
  voidedAt: string | null
  mergedInto: number | null
}

export type CommissionData = {
  id: number
  kind: 'lead' | 'sale' | 'bonus' | 'manual'
  partnerId: number
  saleId: number | null
  leadId: number | null
  amountCents: number
  reversedCents: number
  currency: string
  state: 'held' | 'payable' | 'paid' | 'reversed' | 'review'
  paidCents: number
  disputedCents: number
  payableAt: string
  earnedAt: string
  termsVersion: number | null
  reviewReasons: string[]
  voidReason: string | null
  byHand: boolean
}

/** One partner's part of a payout. */
export type PayoutData = {
  id: number
  payoutId: number
  partnerId: number
  currency: string
  status: 'open' | 'paid' | 'failed'
  amountCents: number
  reservedCents: number
  emptied: boolean
  decidedAt: string | null
  reference: string | null
  paidAt: string | null
  createdAt: string
}

/** The first rule whose conditions match decides, for each item of a sale. */
export type RewardRule = {
  when?:
    | {
        products?: string[] | undefined
        plans?: string[] | undefined
        interval?: 'one_time' | 'month' | 'year' | undefined
        payment?: 'first' | 'renewal' | undefined
        currencies?: string[] | undefined
        countries?: string[] | undefined
        minAmountCents?: number | undefined
      }
    | undefined
  pays: { months?: number | undefined; percentBps?: number | undefined; amountCents?: number | undefined }[]
  maxPerSaleCents?: number | undefined
  maxPerCustomerCents?: number | undefined
}

export type TermsData = {
  subject: 'reward' | 'agreement'
  version: number
  groupId: number | null
  partnerId: number | null
  reward: {
    lead: { amountCents: number } | null
    sale: {
      percentBps?: number | undefined
      amountCents?: number | undefined
      duration?: 'first' | 'months' | 'lifetime' | undefined
      months?: number | undefined
      rules: RewardRule[]
    } | null
    holdDays: number
    minimumPayoutCents: number
    currency: string
  } | null
  validFrom: string
}

export type ProcessorData = {
  status: 'not_connected' | 'pending' | 'connected' | 'restricted' | 'disconnected'
  kind: 'own' | 'platform' | null
  accountId: string | null
  chargesEnabled: boolean
  payoutsEnabled: boolean
  detailsSubmitted: boolean
}

/** `data` of each type of event. */
export type WebhookEventData = {
  'partner.applied': PartnerData
  'partner.approved': PartnerData
  'partner.rejected': PartnerData
  'partner.suspended': PartnerData
  'partner.updated': PartnerData
  'link.created': LinkData
  'link.updated': LinkData
  'code.created': CodeData
  'code.updated': CodeData
  'lead.created': LeadData
  'sale.created': SaleData
  'sale.updated': SaleData
  'sale.refunded': SaleData
  'sale.disputed': SaleData
  'sale.voided': SaleData
  'commission.created': CommissionData
  'commission.updated': CommissionData
  'commission.payable': CommissionData
  'commission.voided': CommissionData
  'payout.created': PayoutData
  'payout.updated': PayoutData
  'payout.paid': PayoutData
  'payout.failed': PayoutData
  'terms.changed': TermsData
  'processor.connected': ProcessorData
  'processor.disconnected': ProcessorData
  'test.ping': { message: string }
}

export type WebhookEventType = keyof WebhookEventData

/** One type of event, or any: checking `event.type` narrows `event.data`. Newer services may send types that are not listed here. */
export type WebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
  [Each in Type]: {
    /** The same in every delivery of this event. */
    id: string
    /** Position in the program: 1, 2, 3, … without gaps. */
    sequence: number
    type: Each
    /** When it happened. */
    timestamp: string
    data: WebhookEventData[Each]
    /** What changed, by field of `data`. Absent if the object is new. */
    changes?: { [field: string]: [before: unknown, after: unknown] }
  }
}[Type]
