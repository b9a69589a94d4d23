import type { EventReason, ReasonCode } from '@tributary/contract'
import type { PaymentReport } from '../payments/payment-report.ts'

/** A processor's event: the envelope, and its untranslated `object`. */
export type IncomingEvent = {
  /** The name of the processor. */
  processor: string
  id: string
  /**
   * The account within which the processor's IDs are unique, such as a store with numeric IDs. Always the same for one payment.
   * Absent if no two accounts share an ID.
   */
  scope?: string
  type: string
  /** By the processor's clock and by ours. */
  createdAt: Date
  receivedAt: Date
  livemode: boolean
  /** The account that the event belongs to, if it says so. */
  accountId: string | null
  apiVersion: string | null
  object: Record<string, unknown>
}

export type AccountFlags = { chargesEnabled: boolean; payoutsEnabled: boolean; detailsSubmitted: boolean }

/** The metadata keys of an event. */
export type NamedCustomer = {
  programId: number | null
  customerKey: string | null
  clickId: string | null
  /** No metadata names the program: it is that of the endpoint, unless the click is of another one. Never stored. */
  isAssumed?: true
}

/** A report as a processor's folder makes it. The payment belongs to the endpoint's program if no metadata names one. */
export type UnassignedReport = Omit<PaymentReport, 'attribution'> & {
  attribution: NamedCustomer | null
  /** Only for the payment that it was made for: metadata of a subscription also reaches its renewals. */
  invoiceId?: string
}

/** With the program of the endpoint, if no metadata names one. */
export type AssignedCustomer = NamedCustomer & { programId: number }
export type AssignedReport = Omit<PaymentReport, 'attribution'> & { attribution: AssignedCustomer | null }

/** `customerId`: by the processor's ID, in its own spelling. */
export type NamedPayer = {
  customerId: string
  attribution: NamedCustomer | null
  clickReference?: string
  at: Date
}

/** What customers enter for an ID, the ID of the code behind a discount, or neither: a discount without a code. */
export type LearnedCode = { id: string; text?: string | null; sameAs?: string | null }

/** What an event means in our terms. */
export type Translation<Report = UnassignedReport> =
  /** `further` are reports of the same payment: they share one of its references. The event's outcome is that of `report`. */
  | { report: Report; further?: Report[] }
  /** Names a customer who paid nothing, such as for a trial. */
  | { customer: NamedPayer }
  /** Explains the IDs of promotion codes. */
  | { learned: LearnedCode[] }
  | { ignored: EventReason | ReasonCode }
  | { account: { accountId: string | null; flags: AccountFlags } }
  /** The merchant revoked the platform's access to the account. */
  | { deauthorized: true }

export type Translate = (event: IncomingEvent) => Translation
