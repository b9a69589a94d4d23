import { type RawBuilder, sql } from 'kysely'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { type FirstLine, insertFirstLines, openPartnerAccounts } from '../ledger/ledger.ts'
import { openReview, type ReviewReason } from '../reviews/reviews.ts'
import type { StoredTerms } from '../rewards/reward-terms.ts'
import { payableAt, type Reward } from '../rewards/rewards.ts'
import { insertCommissions, type NewCommission } from './commissions.ts'

type NewEarning = {
  programId: number
  partnerId: number
  of: { kind: 'lead'; leadId: number } | { kind: 'sale'; saleId: number }
  terms: StoredTerms
  reward: Reward
  earnedAt: Date
  /** Reasons for a review; empty if none applies. */
  review: ReviewReason[]
  at: Date
}

/** Inserts commissions, their first ledger lines and the rows of `also` in one statement. Returns the commission ids in order. */
export const createCommissions = async (
  tx: Tx,
  earnings: NewEarning[],
  also: RawBuilder<unknown>,
): Promise<number[]> => {
  const commissionIds = await insertAll(tx, earnings.map(toRow), also)
  for (const [index, { programId, review, at }] of earnings.entries()) {
    const [reason, ...furtherReasons] = review
    const commissionId = commissionIds[index]
    if (reason && commissionId !== undefined)
      await openReview(tx, { programId, commissionId, reason, furtherReasons, openedAt: at })
  }
  return commissionIds
}

const toRow = ({ programId, partnerId, of, terms, reward, earnedAt, review, at }: NewEarning) => {
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

const insertAll = async (tx: Tx, promised: (NewCommission & FirstLine)[], also: RawBuilder<unknown>) => {
  const column = columnsOf(promised)
  const { rows } = await sql<{ id: number; leadId: number | null; saleId: number | null }>`
    WITH promised AS (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('kind', 'text')},
        ${column('leadId', 'bigint')}, ${column('saleId', 'bigint')}, ${column('amountCents', 'bigint')},
        ${column('currency', 'text')}, ${column('termsVersion', 'integer')}, ${column('earnedAt', 'timestamptz')},
        ${column('payableAt', 'timestamptz')}, ${column('toAccount', 'text')}, ${column('cause', 'text')},
        ${column('at', 'timestamptz')}) AS promised(program_id, partner_id, kind, lead_id, sale_id, amount_cents, currency,
          terms_version, earned_at, payable_at, to_account, cause, at)),
      account AS (${openPartnerAccounts}),
      commission AS (${insertCommissions}),
      line AS (${insertFirstLines}),
      also AS (${also})
    SELECT id, lead_id, sale_id FROM commission`.execute(tx)
  const keyOf = ({ leadId, saleId }: { leadId: number | null; saleId: number | null }) => `${leadId} ${saleId}`
  const ids = new Map(rows.map((row) => [keyOf(row), row.id]))
  return promised.map((row) => {
    const id = ids.get(keyOf(row))
    if (id === undefined) throw new Error('INSERT returned no id for a new commission')
    return id
  })
}
