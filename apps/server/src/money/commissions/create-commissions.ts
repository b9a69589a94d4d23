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
  of:
    | { kind: 'lead'; leadId: number }
    | { kind: 'sale'; saleId: number }
    | { kind: 'bonus' | 'manual' | 'credited'; adjustmentId: number }
  /** Null if a member entered the amount. */
  terms: StoredTerms | null
  reward: Reward
  /** By default after the hold period. */
  payableAt?: Date
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

const CAUSE = {
  lead: 'lead commission',
  sale: 'sale commission',
  bonus: 'bonus',
  manual: 'manual commission',
  credited: 'sale credited by hand',
}

const toRow = ({
  programId,
  partnerId,
  of,
  terms,
  reward,
  earnedAt,
  review,
  at, ...dates,
}: NewEarning): NewCommission & FirstLine => {
  const { amountCents, currency } = reward
  const [reason] = review
  return {
    ...{ programId, partnerId, kind: of.kind, amountCents, currency, earnedAt, at },
    termsVersion: terms?.version ?? null,
    leadId: of.kind === 'lead' ? of.leadId : null,
    saleId: of.kind === 'sale' ? of.saleId : null,
    adjustmentId: 'adjustmentId' in of ? of.adjustmentId : null,
    payableAt: dates.payableAt ?? payableAt(earnedAt, terms?.holdDays ?? 0),
    ...(reason
      ? { toAccount: 'review' as const, cause: `sent to review: ${reason}` }
      : { toAccount: 'earned' as const, cause: CAUSE[of.kind] }),
  }
}

type EventIds = { leadId: number | null; saleId: number | null; adjustmentId: number | null }

const insertAll = async (tx: Tx, promised: (NewCommission & FirstLine)[], also: RawBuilder<unknown>) => {
  const column = columnsOf(promised)
  const { rows } = await sql<EventIds & { id: number }>`
    WITH promised AS (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('kind', 'text')},
        ${column('leadId', 'bigint')}, ${column('saleId', 'bigint')}, ${column('adjustmentId', 'bigint')}, ${column('amountCents', 'bigint')},
        ${column('currency', 'text')}, ${column('termsVersion', 'integer')}, ${column('earnedAt', 'timestamptz')},
        ${column('payableAt', 'timestamptz')}, ${column('toAccount', 'text')}, ${column('cause', 'text')},
        ${column('at', 'timestamptz')}) AS promised(program_id, partner_id, kind, lead_id, sale_id, adjustment_id, amount_cents,
          currency, terms_version, earned_at, payable_at, to_account, cause, at)),
      account AS (${openPartnerAccounts}),
      commission AS (${insertCommissions}),
      line AS (${insertFirstLines}),
      also AS (${also})
    SELECT id, lead_id, sale_id, adjustment_id FROM commission`.execute(tx)
  const keyOf = ({ leadId, saleId, adjustmentId }: EventIds) => `${leadId} ${saleId} ${adjustmentId}`
  const ids = new Map(rows.map((row) => [keyOf(row), row.id]))
  return promised.map((row) => {
    const id = ids.get(keyOf(row))
    if (id === undefined) throw new Error('INSERT returned no id for a new commission')
    return id
  })
}
