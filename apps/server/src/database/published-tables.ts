import type { DB } from './tables.ts'

/** The tables from which events read objects. Only a `Writer` changes them (outbox/publish-changes.ts). */
export const PUBLISHED_TABLES = [
  'adjustmentReversals',
  'adjustments',
  'commissionReviews',
  'commissions',
  'disputes',
  'ledgerLines',
  'partnerGroupChanges',
  'partners',
  'payoutLines',
  'processorRefunds',
  'promotionCodes',
  'referralLinks',
  'refunds',
  'sales',
] as const satisfies (keyof DB)[]

export type PublishedTable = (typeof PUBLISHED_TABLES)[number]
