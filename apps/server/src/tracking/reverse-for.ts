import type { Tx } from '../database/transaction.ts'
import { keepDecision } from '../explain/decisions.ts'
import { payoutsOfCommission } from '../explain/payouts.ts'
import { type Commission, findCommissionOfSale } from '../money/commissions.ts'
import { decideReversal, type ReversalFacts } from '../money/decide-reversal.ts'
import { disputedOf } from '../money/disputes.ts'
import { holdDisputed } from '../money/hold-disputed.ts'
import { lockPartnerAccount, standingOf } from '../money/ledger.ts'
import { keepProcessorRefunds, refundedCentsOf } from '../money/refunds.ts'
import { takeBack } from '../money/take-back.ts'
import type { Sale } from '../sales/find-sales.ts'
import { correctCommission } from './correct-commission.ts'

export type RefundedSale = { id: number; amountCents: number; currency: string }

type Reversal = { programId: number; sale: RefundedSale; at: Date } & (
  | { cause: 'refund'; refundId: number }
  | { cause: 'late_credit' | 'processor'; refundId?: undefined }
)

type ProcessorRefunds = { sale: Sale; refundedCents: number; refundIds: string[]; at: Date }

/** The processor says how much of a sale is refunded now. It may be less than before, for refunds fail. */
export const followProcessorRefunds = async (tx: Tx, { sale, refundedCents, refundIds, at }: ProcessorRefunds) => {
  const { programId, id: saleId, amountCents } = sale
  const before = await refundedCentsOf(tx, { programId, saleId })
  if (!(await keepProcessorRefunds(tx, { programId, saleId, refundedCents, refundIds }))) return
  const after = await refundedCentsOf(tx, { programId, saleId })
  if (after > before) return reverseFor(tx, { programId, sale, cause: 'processor', at })
  if (after === before) return
  const commission = (await findCommissionOfSale(tx, { programId, saleId })) ?? null
  const saleCents = { before: amountCents, after: amountCents }
  await correctCommission(tx, { programId, saleId, cause: 'refund', saleCents, commission, at })
}

/** Brings the commission of a sale down to what its refunds leave of it. Called by a refund, and by a late credit. */
export const reverseFor = async (tx: Tx, { programId, sale, cause, refundId, at }: Reversal) => {
  const saleId = sale.id
  const refunded = await refundedCentsOf(tx, { programId, saleId })
  if (refunded === 0) return
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  const facts: ReversalFacts = {
    cause: cause === 'late_credit' ? cause : 'refund',
    saleCents: sale.amountCents,
    refundedCents: refunded,
    commission: commission ? await commissionFacts(tx, programId, commission) : null,
  }
  const result = decideReversal(facts)
  const subject =
    cause === 'refund'
      ? ({ subject: 'refund', subjectId: refundId } as const)
      : ({ subject: cause === 'processor' ? 'refund' : 'sale', subjectId: saleId } as const)
  await keepDecision(tx, { programId, ...subject, of: { saleId }, rule: 'reversal', facts, result, at })
  if (!commission) return
  const { amountCents } = result
  if (amountCents > 0)
    await takeBack(tx, { programId, commission, toAccount: 'program', amountCents, cause: 'refund', refundId, at })
  await holdDisputed(tx, { programId, commission, at })
}

/** Read under the lock of the partner's account, so that what was decided is what is taken. */
const commissionFacts = async (tx: Tx, programId: number, commission: Commission) => {
  const { id: commissionId, saleId, partnerId, amountCents, currency } = commission
  await lockPartnerAccount(tx, { programId, partnerId, currency })
  const { promised: promisedCents } = await standingOf(tx, { programId, commissionId })
  const [paid] = await payoutsOfCommission(tx, { programId, commissionId })
  const told = saleId === null ? null : await disputedOf(tx, { programId, saleId })
  return { amountCents, currency, promisedCents, lostCents: told?.lostCents ?? 0, wasPaid: paid !== undefined }
}
