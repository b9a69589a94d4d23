export const PROCESSOR_NAMES = ['paddle', 'lemonsqueezy', 'polar', 'dodo'] as const
export type ProcessorName = (typeof PROCESSOR_NAMES)[number]

/** A webhook as it travels: the exact bytes that were signed, and the headers. */
export type Delivery = {
  /** The event's id as the receiver sees it. Null if the processor has none, as Lemon Squeezy. */
  id: string | null
  type: string
  body: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

export type FakeOptions = {
  /** The webhook's signing secret, as the processor shows it to the merchant. */
  secret: string
  /** Store, organization or business. Paddle states none. */
  account?: string
  /** Only Lemon Squeezy states it in its events; the others have separate accounts and secrets. */
  mode?: 'live' | 'test'
  /** Milliseconds since 1970. */
  now?: () => number
  /** Lemon Squeezy does not document whether zero-decimal amounts are multiplied by 100. */
  yenFactor?: 1 | 100
}

export type Purchase = {
  mode?: 'payment' | 'subscription'
  product?: string
  /** Price before the discount: with tax if `taxInclusive`, otherwise without. */
  priceCents?: number
  discountCents?: number
  discountCode?: string | null
  taxBps?: number
  taxInclusive?: boolean
  /** Uppercase ISO 4217. */
  currency?: string
  /** Starts a subscription without a payment. */
  trialDays?: number | null
  metadata?: Record<string, string>
  email?: string
  customerName?: string
  /** Purchases with the same value have the same customer at the processor. */
  customer?: string
}

export type Amounts = {
  priceCents: number
  discountCents: number
  netCents: number
  taxCents: number
  totalCents: number
}

export type Payment = Required<Purchase> & {
  /** Chosen by the caller. The payment's own ids are derived from it. */
  name: string
  /** Name of the purchase. Ids of the checkout, the subscription and the first invoice are derived from it. */
  purchase: string
  reason: 'purchase' | 'renewal' | 'upgrade'
  /** Milliseconds since 1970, in whole seconds. */
  at: number
  /** All zero for a trial. */
  amounts: Amounts
  refunded: { totalCents: number; taxCents: number }
}

export type Refund = {
  name: string
  at: number
  totalCents: number
  taxCents: number
  isFull: boolean
  outcome: 'succeeds' | 'waits' | 'fails'
}

/** `warned` is an inquiry before a chargeback; `prevented` one that the processor refunds itself. */
export type DisputeStep =
  | 'opened'
  | 'won'
  | 'lost'
  | 'accepted'
  | 'cancelled'
  | 'expired'
  | 'challenged'
  | 'warned'
  | 'warning_closed'
  | 'prevented'

export type WireEvent = { id: string | null; type: string; content: object }

export type Unsigned = Pick<Delivery, 'id' | 'type' | 'body'>
export type Signing = { secrets: string[]; atSeconds: number }

/** What differs from processor to processor: its payloads and its signature. */
export type Wire = {
  name: ProcessorName
  paid: (payment: Payment, previous: Payment | null) => WireEvent[]
  refunded: (payment: Payment, refund: Refund) => WireEvent[]
  /** Steps that exist at this processor; others send nothing. */
  disputeSteps: DisputeStep[]
  /** Absent if every payment can be disputed. */
  isDisputable?: (payment: Payment) => boolean
  disputed: (payment: Payment, step: DisputeStep, at: number) => WireEvent[]
  /** The subscription stays active until the end of the period. */
  cancelled: (payment: Payment, at: number) => WireEvent[]
  ended: (payment: Payment, at: number) => WireEvent[]
  /** Nothing if the processor sends the code's text with the payment, or not at all. */
  codeCreated: (code: string, at: number) => WireEvent[]
  unknown: (at: number) => WireEvent
  /** What a merchant reads in the processor's dashboard and API. */
  namesOf: (payment: Payment) => Record<string, string>
  headers: (delivery: Unsigned, signing: Signing) => Record<string, string>
}
