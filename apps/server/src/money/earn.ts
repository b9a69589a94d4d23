import type { Tx } from '../database/transaction.ts'
import { insertCommission } from './commissions.ts'
import { append, openPartnerAccount } from './ledger.ts'
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

/** A commission and the ledger line that promises it, in the transaction of the lead or sale that earns it. */
export const earn = async (
  tx: Tx,
  { programId, partnerId, of, terms, reward, earnedAt, review, at }: Earning,
): Promise<number> => {
  const { amountCents, currency } = reward
  const availableAt = payableAt(earnedAt, terms.holdDays)
  const commissionId = await insertCommission(tx, {
    programId,
    partnerId,
    kind: of.kind,
    leadId: of.kind === 'lead' ? of.leadId : null,
    saleId: of.kind === 'sale' ? of.saleId : null,
    amountCents,
    currency,
    termsVersion: terms.version,
    earnedAt,
    payableAt: availableAt,
  })
  await openPartnerAccount(tx, { programId, partnerId, currency })
  const toAccount = review ? 'review' : 'earned'
  const cause = review ? `held for review: ${review}` : `${of.kind} commission`
  const line = {
    partnerId,
    currency,
    fromAccount: 'program',
    toAccount,
    amountCents,
    availableAt,
    cause,
    commissionId,
  } as const
  await append(tx, { programId, at, lines: [line] })
  if (review) await openReview(tx, { programId, commissionId, reason: review, openedAt: at })
  return commissionId
}
