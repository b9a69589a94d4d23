import type { Tx } from '../../database/transaction.ts'
import { keepDecision } from '../../explain/decisions.ts'
import { findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { decideReversal, type ReversalFacts } from '../../money/commissions/decide-reversal.ts'
import { type Rebooked, rebook } from '../../money/commissions/rebook.ts'
import { keepProcessorRefunds, refundedCentsOf } from '../../money/commissions/refunds.ts'
import type { Sale } from '../../sales/find-sales.ts'
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
  const rebooked =
    commission &&
    (await rebook(tx, { programId, commissionId: commission.id, cause: { kind: 'refund', refundId }, at }))
  const facts: ReversalFacts = {
    cause: cause === 'late_credit' ? cause : 'refund',
    saleCents: sale.amountCents,
    refundedCents: refunded,
    commission: rebooked ? factsOf(rebooked) : null,
  }
  const result = decideReversal(facts)
  const subject =
    cause === 'refund'
      ? ({ subject: 'refund', subjectId: refundId } as const)
      : ({ subject: cause === 'processor' ? 'refund' : 'sale', subjectId: saleId } as const)
  await keepDecision(tx, { programId, ...subject, of: { saleId }, rule: 'reversal', facts, result, at })
}

const factsOf = ({ amountCents, currency, before, lostCents, wasPaid }: Rebooked): ReversalFacts['commission'] => ({
  amountCents,
  currency,
  promisedCents: before.promised,
  lostCents,
  wasPaid,
})
