import type { EventReason, ReasonCode } from '@tributary/contract'
import type { PaymentReport } from '../payments/payment-report.ts'

/** A processor's event: the envelope, and its untranslated `object`. */
export type IncomingEvent = {
  id: string
  type: string
  /** By the processor's clock and by ours. */
  createdAt: Date
  receivedAt: Date
  livemode: boolean
  /** The connected account, for events received by a platform. */
  accountId: string | null
  apiVersion: string | null
  object: Record<string, unknown>
}

export type AccountFlags = { chargesEnabled: boolean; payoutsEnabled: boolean; detailsSubmitted: boolean }

/** What an event means in our terms. */
export type Translation =
  | { report: PaymentReport }
  | { ignored: EventReason | ReasonCode }
  | { account: { accountId: string | null; flags: AccountFlags } }
  | { deauthorized: true }

export type Translate = (event: IncomingEvent) => Translation
