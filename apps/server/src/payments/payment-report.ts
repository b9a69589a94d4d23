/**
 * What one message of a payment processor says about one payment, in our words. Every processor translates into this,
 * and nothing past it knows which processor spoke. Reports of one payment come in any order, and any number of times.
 */
export type PaymentReport = {
  /** All identifiers of this payment that the processor itself states in the message (session, intent, charge, invoice). */
  references: [string, ...string[]]
  /** When it happened, by the processor's clock. */
  at: Date
  /** Who it is to be credited for, where the message carries the three metadata keys. */
  attribution: { programId: number; customerKey: string | null; clickId: string | null } | null
  says: PaymentWords
  /** How much later than that it may have happened: a processor that counts whole seconds cuts off the rest. Absent: no later. */
  withinMs?: number
  /** What was reserved for the payment, never taken and given back. Absent where the message tells of none. */
  neverTakenCents?: number
}

/** A report as it is kept: with when we first heard of it, which is no part of what it says. */
export type HeardReport = PaymentReport & { heardAt?: Date }

export type PaymentWords =
  | ({ kind: 'paid' } & PaidAmount)
  /** Bought, but the bank has not answered yet. What it comes to without tax, nobody may say again. Absent: not known. */
  | { kind: 'pending'; due?: Pick<PaidAmount, 'grossCents' | 'netCents' | 'currency'> }
  | { kind: 'failed' }
  /** One refund. A refund that failed later is as if it had never been. */
  | {
      kind: 'refund'
      refundId: string
      grossCents: number
      currency: string
      state: 'made' | 'failed'
      reason: string | null
    }
  /** How much of the payment has been refunded so far, all refunds together. */
  | { kind: 'refunded_in_all'; grossCents: number; currency: string }
  /** Of what the customer paid; null: all of it. In another currency than that, nobody knows how much of it. Absent: the same. */
  | {
      kind: 'dispute'
      disputeId: string
      state: 'open' | 'won' | 'lost'
      grossCents: number | null
      currency?: string
    }
  /** Nothing but that these identifiers are one payment. */
  | { kind: 'tie' }

export type PaidAmount = {
  /** What the customer paid. Refunds are told in the same terms. */
  grossCents: number
  /** What is left of it without tax; null where the message does not know the tax. */
  netCents: number | null
  currency: string
  /** An invoice knows more than a checkout session, and that more than the bare payment: the best informed amount counts. */
  source: 'invoice' | 'checkout' | 'payment'
  subscriptionId: string | null
}
