import type { SaleItems } from '../money/rewards/rules.ts'

/**
 * What one processor event says about one payment, independent of the processor. Reports of a payment can arrive in any order
 * and any number of times.
 */
export type PaymentReport = {
  /** All processor identifiers of this payment in the event (session, intent, charge, invoice). */
  references: [string, ...string[]]
  /** When it happened, according to the processor. */
  at: Date
  /** The three metadata keys of the event. */
  attribution: { programId: number; customerKey: string | null; clickId: string | null } | null
  /** The customer by the processor's ID, in the namespace of processor and account. Absent if the event names none. */
  customerId?: string
  /** The payer's mailbox as the event states it: a keyed hash in hexadecimal digits. Absent if it states none. */
  payer?: string
  /** The merchant's own `invoice_id`, as the metadata states it. In many checkouts the buyer can write it. */
  invoiceId?: string
  /** A `click_id` that the checkout carries outside the metadata, which wins. Absent if there is none. */
  clickReference?: string
  /** The promotion codes of the payment, in the processor's order. Absent if there are none. */
  codes?: ReportedCode[]
  /** The program whose endpoint received it. Only with `codes`, which name no program. */
  codeProgramId?: number
  /** What the event reports. Like `tie` below, a stored name: a report is found again by the hash of its JSON. */
  says: ReportBody
  /** How much later than `at` it may have happened, for processors that round down to whole seconds. Default: 0. */
  withinMs?: number
  /** The amount that was authorized, never captured and released. Absent if there is none. */
  neverTakenCents?: number
}

/** By its text, or by an ID whose text other events say. IDs have the processor's namespace. */
export type ReportedCode = { text: string } | { id: string }

/** A stored report with the time we first received it, which is not part of its content. */
export type ReceivedReport = PaymentReport & { receivedAt?: Date }

/** Reports only that the references belong to one payment. `tie` is the stored name. */
export const SAME_PAYMENT = { kind: 'tie' } as const

export type ReportBody =
  | ({ kind: 'paid' } & PaidAmount)
  /** Waiting for the bank. `due` may be the only mention of the net amount; absent if unknown. */
  | { kind: 'pending'; due?: Pick<PaidAmount, 'grossCents' | 'netCents' | 'currency'> }
  | { kind: 'failed' }
  /** One refund. A refund that later fails does not count. */
  | {
      kind: 'refund'
      refundId: string
      grossCents: number
      currency: string
      state: 'made' | 'failed'
      reason: string | null
    }
  /** Total refunded so far of a charge. `isOfPayment`: of the whole payment, which several of its objects may report. */
  | { kind: 'refunded_in_all'; grossCents: number; currency: string; isOfPayment?: true }
  /**
   * `grossCents` is null if the whole payment is disputed. `currency` is absent if it is the payment's; in another currency, the
   * disputed part of the payment is unknown.
   */
  | {
      kind: 'dispute'
      disputeId: string
      state: 'open' | 'won' | 'lost'
      grossCents: number | null
      currency?: string
      /** Ends with `disputes_won`, for processors that do not name the dispute that they won. */
      series?: string
    }
  /** All disputes of the series that began earlier. */
  | { kind: 'disputes_won'; series: string }
  | typeof SAME_PAYMENT

export type PaidAmount = {
  /** What the customer paid, including tax. Refunds are gross amounts too. */
  grossCents: number
  /** The amount without tax; null if the event does not state the tax. */
  netCents: number | null
  currency: string
  /** The most complete source counts: an invoice, then a checkout session, then the bare payment. */
  source: 'invoice' | 'checkout' | 'payment'
  subscriptionId: string | null
  /** What was sold, if the event says so. Absent otherwise. */
  items?: SaleItems
}
