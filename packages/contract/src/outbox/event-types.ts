/** Everything a program publishes to webhooks and to `GET /api/v1/events`. */
export const PUBLISHED_EVENT_TYPES = [
  'partner.applied',
  'partner.approved',
  'partner.rejected',
  'partner.suspended',
  'partner.updated',
  'link.created',
  'link.updated',
  'code.created',
  'code.updated',
  'lead.created',
  'sale.created',
  'sale.updated',
  'sale.refunded',
  'sale.disputed',
  'sale.voided',
  'commission.created',
  'commission.updated',
  'commission.payable',
  'commission.voided',
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'terms.changed',
  'processor.connected',
  'processor.disconnected',
  'test.ping',
] as const
export type PublishedEventType = (typeof PUBLISHED_EVENT_TYPES)[number]

export const PUBLISHED_EVENT_DESCRIPTIONS: Record<PublishedEventType, string> = {
  'partner.applied': 'A partner applied or was added, and awaits approval',
  'partner.approved': 'A partner was approved or reinstated, or was added as approved',
  'partner.rejected': 'A partner was rejected',
  'partner.suspended': 'A partner was suspended',
  'partner.updated': 'The name, email address, code, group or another detail of a partner changed',
  'link.created': 'A referral link was created',
  'link.updated': 'A referral link was turned on or off, or its destination or partner changed',
  'code.created': 'A promotion code was assigned to a partner, or a partner requested one',
  'code.updated': 'A promotion code was assigned to another partner, enabled or disabled, or a request was decided',
  'lead.created': 'A lead was credited',
  'sale.created': 'A sale was recorded, credited to a partner or not',
  'sale.updated': 'A sale was credited later, moved to another partner or corrected, or a dispute ended',
  'sale.refunded': 'A sale was refunded, in full or in part',
  'sale.disputed': 'The customer disputed the payment',
  'sale.voided': 'A sale was merged into another sale of the same payment and no longer counts',
  'commission.created': 'A partner earned a commission',
  'commission.updated': 'A commission changed: its amount, its state or the amount paid',
  'commission.payable': 'A commission can be paid: the hold period is over and nothing else holds it',
  'commission.voided': 'Nothing is left of a commission, because it was voided, rejected or fully reversed',
  'payout.created': 'A payout to one partner was created',
  'payout.updated': 'A refund, dispute or other reversal reduced a payout that is not paid yet',
  'payout.paid': 'A payout to one partner was marked as paid',
  'payout.failed': 'A payout to one partner failed, or there was nothing left to pay',
  'terms.changed': 'Reward terms of a group or partner, or the agreement, changed',
  'processor.connected': 'The payment processor was connected',
  'processor.disconnected': 'The payment processor was disconnected',
  'test.ping': 'A test event that you sent',
}

/** Version of the event schemas. A change that could break a receiver gets a new version; new fields and types do not. */
export const EVENT_SCHEMA_VERSION = '2026-11-18'

/** Events can be read for this many days. Far longer than webhook retries go on. */
export const EVENT_RETENTION_DAYS = 90
export const DEFAULT_EVENTS_LIMIT = 100
export const MAX_EVENTS_LIMIT = 1_000
/** Open event streams per program and process. */
export const MAX_EVENT_STREAMS_PER_PROGRAM = 10
/** Per workspace and process, so that one with many programs does not use up everyone's. */
export const MAX_EVENT_STREAMS_PER_WORKSPACE = 50
