/**
 * Each function updates a sale's commission after a refund, correction or dispute: it brings the ledger to the state the
 * rules in money/commissions require (rebook) and stores the decision. All are idempotent.
 */

import type { Tx } from '../../database/transaction.ts'
import { storeDecision } from '../../explain/decisions.ts'
import {
  type CorrectionFacts,
  type DisputeFacts,
  decideCorrection,
  decideDispute,
  decideReversal,
  type ReversalFacts,
} from '../../money/commissions/commission-rules.ts'
import { type Commission, findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { findDisputeStatus } from '../../money/commissions/disputes.ts'
import { type Cause, type Earning, type RebookResult, rebook } from '../../money/commissions/rebook.ts'
import { findRefundedCents } from '../../money/commissions/refunds.ts'
import { CORRECTION_CAUSE } from '../../money/ledger/ledger.ts'
import { applyAdjustments, lockCredited, rebookCredited } from './credited-commissions.ts'
import { type EarningSale, earnForSales } from './earn-commissions.ts'

type SaleKey = { programId: number; saleId: number }

export type RefundedSale = { id: number; amountCents: number; currency: string }

type Reversal = { programId: number; sale: RefundedSale; at: Date } & (
  | { cause: 'refund'; refundId: number }
  | { cause: 'late_credit' | 'processor'; refundId?: undefined }
)

/** Reverses the refunded share of a commission, after a refund or a late credit. */
export const reverseCommission = async (tx: Tx, { programId, sale, cause, refundId, at }: Reversal) => {
  const saleId = sale.id
  const refunded = await findRefundedCents(tx, { programId, saleId })
  if (refunded === 0) return
  const { rebooked } = await rebookSale(tx, { programId, saleId, cause: { kind: 'refund', refundId }, at })
  const facts: ReversalFacts = {
    cause: cause === 'late_credit' ? cause : 'refund',
    saleCents: sale.amountCents,
    refundedCents: refunded,
    commission: rebooked ? toReversalFacts(rebooked) : null,
  }
  const result = decideReversal(facts)
  // The processor reports refunds as one total without an ID, so the sale's ID stands for it.
  const subject =
    cause === 'refund'
      ? ({ subject: 'refund', subjectId: refundId } as const)
      : ({ subject: cause === 'processor' ? 'refund' : 'sale', subjectId: saleId } as const)
  await storeDecision(tx, { programId, ...subject, of: { saleId }, rule: 'reversal', facts, result, at })
}

const toReversalFacts = (rebooked: RebookResult): ReversalFacts['commission'] => {
  const { amountCents, currency, before, lostCents, wasPaid } = rebooked
  return { amountCents, currency, promisedCents: before.promised, lostCents, wasPaid }
}

type SaleChange = SaleKey & { cause: Cause; after?: Earning; at: Date }

/** Rebooks every commission of a sale. Returns the one that counts: if a member gave the sale to a partner, that partner's. */
const rebookSale = async (tx: Tx, { programId, saleId, cause, after, at }: SaleChange) => {
  const credited = await lockCredited(tx, { programId, saleId })
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  const key = { programId, commissionId: commission?.id ?? 0 }
  const rebooked = commission && (await rebook(tx, { ...key, cause, ...(after && { earning: after }), at }))
  const active = await rebookCredited(tx, { programId, credited, cause, at })
  return active ?? { commission, rebooked }
}

type Correction = SaleKey & {
  cause: CorrectionFacts['cause']
  because?: CorrectionFacts['because']
  saleCents: CorrectionFacts['saleCents']
  recalculated?: CorrectionFacts['recalculated']
  /** The new earning; unchanged if omitted. */
  after?: Earning
  at: Date
}

/** Brings a commission to the state it would have if the sale had been reported correctly from the start. */
export const correctCommission = async (tx: Tx, correction: Correction) => {
  const { programId, saleId, cause, because, saleCents, recalculated, after, at } = correction
  const { commission, rebooked } = await rebookSale(tx, {
    programId,
    saleId,
    at,
    after,
    cause: { kind: 'correction', ledgerCause: CORRECTION_CAUSE[cause] },
  })
  const facts: CorrectionFacts = {
    cause,
    ...(because && { because }),
    saleCents,
    ...(recalculated && { recalculated }),
    refundedCents: rebooked?.refundedCents ?? (await findRefundedCents(tx, { programId, saleId })),
    commission: commission && rebooked ? toCorrectionFacts(commission, rebooked) : null,
  }
  const result = decideCorrection(facts)
  const of = { saleId }
  await storeDecision(tx, { programId, subject: 'sale', subjectId: saleId, of, rule: 'correction', facts, result, at })
}

const toCorrectionFacts = (commission: Commission, rebooked: RebookResult): CorrectionFacts['commission'] => {
  const { amountCents, currency, before, sale, lostCents, review, wasPaid } = rebooked
  const isLost = lostCents > 0 && lostCents === sale?.saleCents
  return {
    amountCents: { before: commission.amountCents, after: amountCents },
    currency,
    promisedCents: before.promised,
    lostCents,
    isOver: isLost || review === 'rejected',
    wasPaid,
  }
}

/** Holds or releases the disputed share of a commission, after a dispute or a late credit. */
export const applyDisputes = async (tx: Tx, { programId, saleId, at }: SaleKey & { at: Date }) => {
  const { commission } = await rebookSale(tx, { programId, saleId, cause: { kind: 'dispute' }, at })
  return commission !== undefined
}

type Dispute = SaleKey & { disputeId: string; status: DisputeFacts['status']; at: Date }

/** Like `applyDisputes`, for one dispute that was opened or closed, and stores the decision. */
export const applyDispute = async (tx: Tx, { programId, saleId, disputeId, status, at }: Dispute) => {
  const hasCommission = await applyDisputes(tx, { programId, saleId, at })
  const othersOpen = status === 'won' && (await findDisputeStatus(tx, { programId, saleId })) !== 'none'
  const facts: DisputeFacts = { status, hasCommission, othersOpen }
  const result = decideDispute(facts)
  const decision = { subject: 'dispute', subjectId: disputeId, of: { saleId }, rule: 'dispute' } as const
  await storeDecision(tx, { programId, ...decision, facts, result, at })
}

/** Creates the commission of a sale credited late, then applies refunds and disputes from the meantime. */
export const earnLate = async (tx: Tx, hashKey: string, sale: EarningSale) => {
  const { programId, saleId, amountCents, currency, at } = sale
  await earnForSales(tx, hashKey, { sales: [sale] })
  await applyAdjustments(tx, { programId, saleId, at })
  await reverseCommission(tx, { programId, sale: { id: saleId, amountCents, currency }, cause: 'late_credit', at })
  await applyDisputes(tx, { programId, saleId, at })
}
