import type { NotificationKind, SummaryFrequency } from '@tributary/contract'

export type Amount = { amountCents: number; currency: string }

export type PartnerTotals = { partners: number; totals: Amount[] }

/** `since`: the first failure. `reason`: it failed for too long, or answered that it is gone. */
type FailingWebhook = { endpointId: number; host: string; since: string; reason: 'failing' | 'gone' }

/** What each kind says. Never a customer's data: partners get the same as the portal shows them. */
export type Details = {
  application_received: { partnerId: number; name: string }
  review_waiting: { count: number }
  /** `period`: the scheduled day. `missing`, `changed`: partners who can't be paid yet, because of their payout details. */
  draft_ready: PartnerTotals & {
    period: string
    ready?: PartnerTotals
    missing?: PartnerTotals
    changed?: PartnerTotals
  }
  connection_silent: { days: number; lastAt: string }
  clicks_stopped: { lastDay: string }
  webhook_failing: FailingWebhook
  webhook_disabled: FailingWebhook
  application_approved: { message: string | null }
  application_rejected: { message: string | null }
  terms_changed: { what: 'agreement' | 'reward' | 'group' | 'tier' }
  first_commission: Amount
  payout_sent: Amount & { reference: string | null; paidOn: string | null }
  payout_details_missing: { amounts: Amount[] }
  summary: {
    frequency: Exclude<SummaryFrequency, 'off'>
    firstDay: string
    lastDay: string
    clicks: number
    leads: number
    sales: number
    commissions: Amount[]
  }
}

/** A kind with its details. */
export type Fact = { [Kind in NotificationKind]: { kind: Kind; details: Details[Kind] } }[NotificationKind]
