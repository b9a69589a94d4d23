import { overtaken, type Tx } from '../database/transaction.ts'
import { keepDecision } from '../explain/decisions.ts'
import { payoutsOfCommission } from '../explain/payouts.ts'
import { type Commission, correctCommissionRow, hasMetPayout } from '../money/commissions.ts'
import { type CorrectionFacts, decideCorrection } from '../money/decide-correction.ts'
import { disputedOf } from '../money/disputes.ts'
import { holdDisputed } from '../money/hold-disputed.ts'
import { CORRECTION_CAUSE, lockPartnerAccount, standingOf } from '../money/ledger.ts'
import { promiseMore } from '../money/promise-more.ts'
import { refundedCentsOf } from '../money/refunds.ts'
import { findReview } from '../money/reviews.ts'
import { takeBack } from '../money/take-back.ts'

export type Correction = {
  programId: number
  saleId: number
  cause: CorrectionFacts['cause']
  because?: CorrectionFacts['because']
  saleCents: CorrectionFacts['saleCents']
  /** As it was, and what of it is to be otherwise. Null where the sale has earned none. */
  commission: Commission | null
  after?: Pick<Commission, 'amountCents' | 'termsVersion' | 'earnedAt' | 'payableAt'> | null
  /** It was decided because no payout has it. One may be made in this very moment, and then it is to be decided again. */
  isUnpaid?: boolean
  at: Date
}

/** Brings a commission to where it would be, had the sale been told so from the beginning. */
export const correctCommission = async (tx: Tx, correction: Correction) => {
  const { programId, saleId, cause, because, saleCents, commission, after = commission, isUnpaid, at } = correction
  const facts: CorrectionFacts = {
    cause,
    ...(because && { because }),
    saleCents,
    refundedCents: await refundedCentsOf(tx, { programId, saleId }),
    commission: commission && after ? await factsOf(tx, { programId, commission, after, isUnpaid }) : null,
  }
  const result = decideCorrection(facts)
  const of = { saleId }
  await keepDecision(tx, { programId, subject: 'sale', subjectId: saleId, of, rule: 'correction', facts, result, at })
  if (!commission || !after || !facts.commission) return
  const { promisedCents } = facts.commission
  const change = result.outcome === 'lowered' ? -result.amountCents : result.amountCents
  // A line stands on the day on which it is payable. What is payable on another day goes back whole and comes again.
  const isMoved = after.payableAt.getTime() !== commission.payableAt.getTime()
  const [less, more] = isMoved ? [promisedCents, promisedCents + change] : [Math.max(-change, 0), Math.max(change, 0)]
  const move = { programId, cause: CORRECTION_CAUSE[cause], at }
  if (less > 0) await takeBack(tx, { ...move, commission, toAccount: 'program', amountCents: less })
  const { amountCents, termsVersion, earnedAt, payableAt } = after
  const corrected = { amountCents, termsVersion, earnedAt, payableAt }
  if (after !== commission) await correctCommissionRow(tx, { programId, id: commission.id, ...corrected })
  const standing = { programId, commission: { ...commission, ...corrected }, at }
  await promiseMore(tx, { ...standing, ...move, amountCents: more })
  await holdDisputed(tx, standing)
}

type Changing = { programId: number; commission: Commission; after: { amountCents: number }; isUnpaid?: boolean }

/** Read under the lock of the partner's account, so that what was decided is what is moved. */
const factsOf = async (
  tx: Tx,
  { programId, commission, after, isUnpaid }: Changing,
): Promise<CorrectionFacts['commission']> => {
  const { id: commissionId, saleId, partnerId, currency } = commission
  await lockPartnerAccount(tx, { programId, partnerId, currency })
  if (isUnpaid && (await hasMetPayout(tx, { programId, commissionId }))) throw overtaken()
  const told = saleId === null ? null : await disputedOf(tx, { programId, saleId })
  const isLost = told !== null && told.lostCents === told.saleCents
  const isRejected = (await findReview(tx, { programId, commissionId }))?.decision === 'rejected'
  const [paid] = await payoutsOfCommission(tx, { programId, commissionId })
  return {
    amountCents: { before: commission.amountCents, after: after.amountCents },
    currency,
    promisedCents: (await standingOf(tx, { programId, commissionId })).promised,
    lostCents: told?.lostCents ?? 0,
    isOver: isLost || isRejected,
    wasPaid: paid !== undefined,
  }
}
