import type { SelfReferralMatch } from '@tributary/contract'
import { sql } from 'kysely'
import { columnsOf, type Parts, withParts } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { changing } from '../../outbox/publish-changes.ts'
import { type FirstLine, insertFirstLines, openPartnerAccounts } from '../ledger/ledger.ts'
import { openFirstReview, type ReviewReason } from '../reviews/reviews.ts'
import type { EventTerms } from '../rewards/reward-terms.ts'
import { payableAt, type Reward } from '../rewards/rewards.ts'
import { publishCreated } from './commission-events.ts'
import { insertCommissions, type NewCommission } from './commissions.ts'

type EarningEvent =
  | { kind: 'lead'; leadId: number }
  | { kind: 'sale'; saleId: number }
  | { kind: 'bonus' | 'manual' | 'credited'; adjustmentId: number }

export type NewEarning = {
  /** Gets the ID of its commission. */
  event?: { commissionId?: number }
  programId: number
  partnerId: number
  of: EarningEvent
  /** Null if a member entered the amount. */
  terms: EventTerms | null
  reward: Reward
  /** By default after the hold period. */
  payableAt?: Date
  earnedAt: Date
  /** Reasons for a review; empty if none applies. */
  review: ReviewReason[]
  /** How the customer matches the partner. */
  matches?: SelfReferralMatch[]
  at: Date
}

/**
 * Parts of a statement: insert commissions (`commission`) and their first ledger lines, and publish them. `after` names a part
 * whose events come first.
 */
export const createCommissions = (earnings: NewEarning[], after: string | null = null): Parts => {
  const column = columnsOf(earnings.map(toRow))
  return {
    new_commission: sql`
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('kind', 'text')},
        ${column('leadId', 'bigint')}, ${column('saleId', 'bigint')}, ${column('adjustmentId', 'bigint')},
        ${column('amountCents', 'bigint')}, ${column('currency', 'text')}, ${column('termsVersion', 'integer')},
        ${column('earnedAt', 'timestamptz')}, ${column('payableAt', 'timestamptz')}, ${column('toAccount', 'text')},
        ${column('cause', 'text')}, ${column('reviewReasons', 'text')}, ${column('at', 'timestamptz')}) AS new_commission(program_id,
          partner_id, kind, lead_id, sale_id, adjustment_id, amount_cents, currency, terms_version, earned_at, payable_at,
          to_account, cause, review_reasons, at)`,
    account: openPartnerAccounts,
    commission: insertCommissions,
    line: insertFirstLines,
    announced: publishCreated(after),
  }
}

const CAUSE = {
  lead: 'lead commission',
  sale: 'sale commission',
  bonus: 'bonus',
  manual: 'manual commission',
  credited: 'sale credited manually',
}

const toRow = ({
  programId,
  partnerId,
  of,
  terms,
  reward,
  earnedAt,
  review,
  at,
  ...dates
}: NewEarning): NewCommission & FirstLine & { reviewReasons: string } => {
  const { amountCents, currency } = reward
  const [reason] = review
  return {
    programId,
    partnerId,
    kind: of.kind,
    amountCents,
    currency,
    earnedAt,
    at,
    termsVersion: terms?.version ?? null,
    ...idsOf(of),
    reviewReasons: JSON.stringify(review),
    payableAt: dates.payableAt ?? payableAt(earnedAt, terms?.holdDays ?? 0),
    ...(reason
      ? { toAccount: 'review' as const, cause: `sent to review: ${reason}` }
      : { toAccount: 'earned' as const, cause: CAUSE[of.kind] }),
  }
}

type EventIds = { leadId: number | null; saleId: number | null; adjustmentId: number | null }
export type CreatedCommission = EventIds & { id: number | null }

/** SQL fragment: the columns of `commission` that `openReviews` needs. */
export const CREATED = sql`commission.id, commission.lead_id, commission.sale_id, commission.adjustment_id`

/** Opens the reviews of new commissions. Announces those whose hold period ended long ago. */
export const openReviews = async (tx: Tx, earnings: NewEarning[], created: CreatedCommission[]) => {
  const ids = new Map(created.map(({ id, ...event }) => [keyOf(event), id]))
  for (const earning of earnings) {
    const { programId, event, of, review, matches = [], at } = earning
    const commissionId = ids.get(keyOf(idsOf(of)))
    if (!commissionId) throw new Error('INSERT returned no id for a new commission')
    const [reason, ...furtherReasons] = review
    if (reason) await openFirstReview(tx, { programId, commissionId, reason, furtherReasons, matches, openedAt: at })
    if (isLongPayable(toRow(earning))) await changing(tx, 'commission', { programId, ids: [commissionId], at })
    if (event) event.commissionId = commissionId
  }
}

/** The job that announces the ends of hold periods looks back one hour. */
const isLongPayable = ({ payableAt, at }: { payableAt: Date; at: Date }) =>
  payableAt.getTime() < at.getTime() - 30 * 60_000

const keyOf = ({ leadId, saleId, adjustmentId }: EventIds) => `${leadId} ${saleId} ${adjustmentId}`

const idsOf = (of: EarningEvent): EventIds => ({
  leadId: of.kind === 'lead' ? of.leadId : null,
  saleId: of.kind === 'sale' ? of.saleId : null,
  adjustmentId: 'adjustmentId' in of ? of.adjustmentId : null,
})

/** Creates one commission that no lead or sale earned automatically, with the other parts in the same statement. */
export const createCommission = async (tx: Tx, earning: NewEarning, parts: Parts = {}) => {
  const { rows } = await sql<CreatedCommission>`
    ${withParts({ ...createCommissions([earning]), ...parts })} SELECT ${CREATED} FROM commission`.execute(tx)
  await openReviews(tx, [earning], rows)
}
