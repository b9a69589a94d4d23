import type { EventReason, ReasonCode } from '@tributary/contract'
import type { PaymentReport } from '../payments/payment-report.ts'

/** An event of a processor: the envelope, and in `object` what it carries, in the processor's own words. */
export type IncomingEvent = {
  id: string
  type: string
  /** By the processor's clock, and by ours. */
  createdAt: Date
  receivedAt: Date
  livemode: boolean
  /** Whose event it is, where a platform receives it for a connected account. */
  accountId: string | null
  apiVersion: string | null
  object: Record<string, unknown>
}

export type AccountFlags = { chargesEnabled: boolean; payoutsEnabled: boolean; detailsSubmitted: boolean }

/** What an event comes to in our words. */
export type Translation =
  | { report: PaymentReport }
  | { ignored: EventReason | ReasonCode }
  | { account: { accountId: string | null; flags: AccountFlags } }
  | { deauthorized: true }

export type Translate = (event: IncomingEvent) => Translation
