import type { EventReason, ReasonCode } from '@tributary/contract'
import type { PaymentReport } from '../../payments/payment-report.ts'
import type { Fields } from './reading.ts'

/** The envelope of every event. What it carries is in `object`. */
export type StripeEvent = {
  id: string
  type: string
  /** By Stripe's clock, and by ours. */
  createdAt: Date
  receivedAt: Date
  livemode: boolean
  /** Whose event it is, where a platform receives it for a connected account. */
  accountId: string | null
  apiVersion: string | null
  object: Fields
}

export type AccountFlags = { chargesEnabled: boolean; payoutsEnabled: boolean; detailsSubmitted: boolean }

/** What an event comes to in our words. */
export type Translation =
  | { report: PaymentReport }
  | { ignored: EventReason | ReasonCode }
  | { account: { accountId: string | null; flags: AccountFlags } }
  | { deauthorized: true }

export type Translate = (event: StripeEvent) => Translation
