import { type RawBuilder, sql } from 'kysely'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { appendPromises, type FirstLine, openPartnerAccounts } from '../ledger/ledger.ts'
import { openReview, type ReviewReason } from '../reviews/reviews.ts'
import type { StoredTerms } from '../rewards/reward-terms.ts'
import { payableAt, type Reward } from '../rewards/rewards.ts'
import { insertCommissions, type NewCommission } from './commissions.ts'

type Earning = {
  programId: number
  partnerId: number
  of: { kind: 'lead'; leadId: number } | { kind: 'sale'; saleId: number }
  terms: StoredTerms
  reward: Reward
  earnedAt: Date
  /** Why a person has to look at it; empty where nothing speaks against it. */
  review: ReviewReason[]
  at: Date
}

/** Commissions, the ledger lines that promise them, and what `also` writes, in one statement. Answers their numbers. */
export const earn = async (tx: Tx, earning: Earning[], also: RawBuilder<unknown>): Promise<number[]> => {
  const commissionIds = await promiseAll(tx, earning.map(promiseOf), also)
  for (const [place, { programId, review, at }] of earning.entries()) {
    const [reason, ...furtherReasons] = review
    const commissionId = commissionIds[place]
    if (reason && commissionId !== undefined)
      await openReview(tx, { programId, commissionId, reason, furtherReasons, openedAt: at })
  }
  return commissionIds
}

const promiseOf = ({ programId, partnerId, of, terms, reward, earnedAt, review, at }: Earning) => {
  const { amountCents, currency } = reward
  const [reason] = review
  return {
    ...{ programId, partnerId, kind: of.kind, amountCents, currency, termsVersion: terms.version, earnedAt, at },
    leadId: of.kind === 'lead' ? of.leadId : null,
    saleId: of.kind === 'sale' ? of.saleId : null,
    payableAt: payableAt(earnedAt, terms.holdDays),
    ...(reason
      ? { toAccount: 'review' as const, cause: `held for review: ${reason}` }
      : { toAccount: 'earned' as const, cause: `${of.kind} commission` }),
  }
}

const promiseAll = async (tx: Tx, promised: (NewCommission & FirstLine)[], also: RawBuilder<unknown>) => {
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
      line AS (${appendPromises}),
      also AS (${also})
    SELECT id, lead_id, sale_id FROM commission`.execute(tx)
  const nameOf = (of: { leadId: number | null; saleId: number | null }) => `${of.leadId} ${of.saleId}`
  const ids = new Map(rows.map((row) => [nameOf(row), row.id]))
  return promised.map((one) => {
    const id = ids.get(nameOf(one))
    if (id === undefined) throw new Error('a commission that was made has a number')
    return id
  })
}
