import type { TierAfter, TierPeriod, TierProgress, TierRule } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isUndone, isVoided } from '../../database/sql/active-void.ts'
import { anyOf } from '../../database/sql/columns.ts'
import { disputedCents, selectRefundedCents } from '../../database/sql/refunded.ts'
import type { Tx } from '../../database/transaction.ts'
import { dayIn } from '../../events/overview/days.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { groupTermsAt } from '../../money/rewards/reward-terms.ts'
import type { PartnerGroup } from '../../partners/groups.ts'
import type { Program } from '../../programs/programs.ts'

/** Before any sale. */
const ALL_TIME = '1970-01-01'

/** The first day of the calendar period that contains `day`. */
export const periodStart = (within: TierPeriod, day: string) => {
  const [year = '', month = ''] = day.split('-')
  if (within === 'all') return ALL_TIME
  if (within === 'year') return `${year}-01-01`
  const first = within === 'month' ? Number(month) : Math.floor((Number(month) - 1) / 3) * 3 + 1
  return `${year}-${String(first).padStart(2, '0')}-01`
}

export const findPeriodStart = async (db: Database | Tx, { within, timezone, at }: PeriodAt) =>
  periodStart(within, await dayIn(db, timezone, at))

type PeriodAt = { within: TierPeriod; timezone: string; at: Date }

export const hasReached = (after: TierAfter, reached: number) =>
  reached >= ('sales' in after ? after.sales : after.amountCents)

type Counted = { programId: number; partnerIds: number[]; after: TierAfter; since: string }

/**
 * Sales that partners have since a day, in the rule's currency if it has one: credited automatically or by a member, unless a member
 * moved them away. Their times are compared too, so that the index is used. Sales whose commission a member voided or rejected do
 * not count: otherwise a fraud that was found out would still raise the rate.
 */
export const salesSince = ({ programId, partnerIds, after, since }: Counted) => {
  const isCounted = sql`sale.voided_at IS NULL AND sale.day >= ${since}::date
    AND sale.sold_at >= ${since}::date - interval '1 day'
    ${'currency' in after ? sql`AND sale.currency = ${after.currency}` : sql``}`
  return sql`(
    SELECT sale.program_id, sale.id, sale.partner_id, sale.amount_cents, sale.gross_cents FROM sales sale
    WHERE sale.program_id = ${programId} AND sale.partner_id = ${anyOf(partnerIds)} AND ${isCounted}
      AND NOT EXISTS (SELECT FROM (${activeCredits(programId)}) credit WHERE credit.sale_id = sale.id)
      AND NOT EXISTS (SELECT FROM commissions earned WHERE earned.program_id = sale.program_id AND earned.sale_id = sale.id
        AND ${isRefused})
    UNION ALL
    SELECT sale.program_id, sale.id, credit.partner_id, sale.amount_cents, sale.gross_cents FROM (${activeCredits(programId)}) credit
    JOIN sales sale ON sale.program_id = ${programId} AND sale.id = credit.sale_id
    WHERE credit.partner_id = ${anyOf(partnerIds)} AND ${isCounted}
      AND NOT EXISTS (SELECT FROM commissions earned WHERE earned.program_id = sale.program_id AND earned.adjustment_id = credit.id
        AND ${isRefused})) sale`
}

/** The last decision of a member about which partner gets each sale. Members make few, so all are read. */
const activeCredits = (programId: number) => sql`
  SELECT DISTINCT ON (1) coalesce(named.merged_into, named.id) AS sale_id, assigned.id, assigned.partner_id FROM adjustments assigned
  JOIN sales named ON named.program_id = assigned.program_id AND named.id = assigned.sale_id
  WHERE assigned.program_id = ${programId} AND assigned.type IN ('credit', 'move') AND NOT ${isUndone('assigned')}
  ORDER BY 1, assigned.id DESC`

const isRefused = sql`(${isVoided('earned')} OR EXISTS (SELECT FROM commission_reviews review
  WHERE review.program_id = earned.program_id AND review.commission_id = earned.id AND review.decision = 'rejected'))`

/**
 * What counts toward a tier, by partner: sales that still pay something after refunds and lost disputes, or their revenue.
 * Partners with none are absent.
 */
export const countTowardTier = async (db: Database | Tx, counted: Counted) => {
  const reached = 'sales' in counted.after ? sql`count(*)` : sql`sum(left_cents)::bigint`
  const { rows } = await sql<{ partnerId: number; reached: number }>`
    SELECT partner_id, ${reached} AS reached FROM (
      SELECT sale.partner_id, sale.amount_cents - coalesce(${selectRefundedCents('sale')}, 0) - (
        SELECT coalesce(${disputedCents('lost')}, 0) FROM disputes dispute
        WHERE dispute.program_id = sale.program_id AND dispute.sale_id = sale.id) AS left_cents
      FROM ${salesSince(counted)}) counted
    WHERE left_cents > 0 GROUP BY partner_id`.execute(db)
  return new Map(rows.map(({ partnerId, reached }) => [partnerId, reached]))
}

type PartnerInGroup = { program: Program; partnerId: number; group: PartnerGroup; at: Date }

/** How far a partner is from the next tier, and what it pays; null without a tier rule. */
export const findTierProgress = async (
  db: Database,
  { program, partnerId, group, at }: PartnerInGroup,
): Promise<TierProgress | null> => {
  if (!group.tierRule) return null
  const { after, within, moveTo }: TierRule = group.tierRule
  const { id: programId, timezone, currency } = program
  const since = await findPeriodStart(db, { within, timezone, at })
  const reached = await countTowardTier(db, { programId, partnerIds: [partnerId], after, since })
  const terms = await groupTermsAt(db, { programId, groupId: moveTo, at })
  return { after, within, reached: reached.get(partnerId) ?? 0, reward: rewardAnswer(terms, { currency, own: false }) }
}
