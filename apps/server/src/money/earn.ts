import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { insertCommission } from './commissions.ts'
import { appendPromise, openPartnerAccount } from './ledger.ts'
import { openReview, type ReviewReason } from './reviews.ts'
import type { StoredTerms } from './reward-terms.ts'
import { type NoReward, payableAt, type Reward } from './rewards.ts'

type Earning = {
  programId: number
  partnerId: number
  of: { kind: 'lead'; leadId: number } | { kind: 'sale'; saleId: number }
  terms: StoredTerms
  reward: Reward
  earnedAt: Date
  /** Null where nothing speaks against it. */
  review: ReviewReason | null
  at: Date
}

export type Earned = { commissionId: number } | { commissionId: null; reason: NoReward }

/**
 * A commission and the ledger line that promises it, in the transaction of the lead or sale that earns it, and in one
 * statement: every sale pays for it.
 */
export const earn = async (tx: Tx, { review, ...earning }: Earning): Promise<number> => {
  const { programId, partnerId, of, terms, reward, earnedAt, at } = earning
  const { amountCents, currency } = reward
  const row = {
    ...{ programId, partnerId, kind: of.kind, amountCents, currency, termsVersion: terms.version, earnedAt },
    leadId: of.kind === 'lead' ? of.leadId : null,
    saleId: of.kind === 'sale' ? of.saleId : null,
    payableAt: payableAt(earnedAt, terms.holdDays),
  }
  const promise = review
    ? ({ toAccount: 'review', cause: `held for review: ${review}`, at } as const)
    : ({ toAccount: 'earned', cause: `${of.kind} commission`, at } as const)
  const { rows } = await sql<{ id: number }>`
    WITH account AS (${openPartnerAccount({ programId, partnerId, currency })}),
      commission AS (${insertCommission(row)}),
      line AS (${appendPromise(promise)})
    SELECT id FROM commission`.execute(tx)
  const commissionId = rows[0]?.id
  if (commissionId === undefined) throw new Error('a commission that was made has a number')
  if (review) await openReview(tx, { programId, commissionId, reason: review, openedAt: at })
  return commissionId
}
