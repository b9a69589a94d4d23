import { sql } from 'kysely'
import { columnsOf, type Parts } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { type FirstLine, insertFirstLines, openPartnerAccounts } from '../ledger/ledger.ts'
import { openReview, type ReviewReason } from '../reviews/reviews.ts'
import type { EventTerms } from '../rewards/reward-terms.ts'
import { payableAt, type Reward } from '../rewards/rewards.ts'
import { insertCommissions, type NewCommission } from './commissions.ts'

type EarningEvent = { kind: 'lead'; leadId: number } | { kind: 'sale'; saleId: number }

type NewEarning = {
  programId: number
  partnerId: number
  of: EarningEvent
  terms: EventTerms
  reward: Reward
  earnedAt: Date
  /** Reasons for a review; empty if none applies. */
  review: ReviewReason[]
  at: Date
}

/** Parts of a statement: insert commissions (`commission`) and their first ledger lines. */
export const createCommissions = (earnings: NewEarning[]): Parts => {
  const column = columnsOf(earnings.map(toRow))
  return {
    promised: sql`
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('kind', 'text')},
        ${column('leadId', 'bigint')}, ${column('saleId', 'bigint')}, ${column('amountCents', 'bigint')},
        ${column('currency', 'text')}, ${column('termsVersion', 'integer')}, ${column('earnedAt', 'timestamptz')},
        ${column('payableAt', 'timestamptz')}, ${column('toAccount', 'text')}, ${column('cause', 'text')},
        ${column('at', 'timestamptz')}) AS promised(program_id, partner_id, kind, lead_id, sale_id, amount_cents, currency,
          terms_version, earned_at, payable_at, to_account, cause, at)`,
    account: openPartnerAccounts,
    commission: insertCommissions,
    line: insertFirstLines,
  }
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
}: NewEarning): NewCommission & FirstLine => {
  const { amountCents, currency } = reward
  const [reason] = review
  return {
    ...{ programId, partnerId, kind: of.kind, amountCents, currency, termsVersion: terms.version, earnedAt, at },
    leadId: of.kind === 'lead' ? of.leadId : null,
    saleId: of.kind === 'sale' ? of.saleId : null,
    payableAt: payableAt(earnedAt, terms.holdDays),
    ...(reason
      ? { toAccount: 'review' as const, cause: `sent to review: ${reason}` }
      : { toAccount: 'earned' as const, cause: `${of.kind} commission` }),
  }
}

type CreatedCommission = { id: number | null; leadId: number | null; saleId: number | null }

/** Opens the reviews of new commissions and returns the commission ids in order. */
export const openReviews = async (tx: Tx, earnings: NewEarning[], created: CreatedCommission[]): Promise<number[]> => {
  const ids = new Map(created.map(({ id, leadId, saleId }) => [`${leadId ?? ''} ${saleId ?? ''}`, id]))
  const commissionIds: number[] = []
  for (const { programId, of, review, at } of earnings) {
    const commissionId = ids.get(of.kind === 'lead' ? `${of.leadId} ` : ` ${of.saleId}`)
    if (!commissionId) throw new Error('INSERT returned no id for a new commission')
    const [reason, ...furtherReasons] = review
    if (reason) await openReview(tx, { programId, commissionId, reason, furtherReasons, openedAt: at })
    commissionIds.push(commissionId)
  }
  return commissionIds
}
