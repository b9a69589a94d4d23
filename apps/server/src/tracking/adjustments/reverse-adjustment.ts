import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import { lockCustomerOfMaximum } from '../../customers/maximum-locks.ts'
import type { Tx } from '../../database/transaction.ts'
import { storeDecision } from '../../explain/decisions.ts'
import {
  type Adjustment,
  findAdjustment,
  findCreditsOfSale,
  findVoidedCommissions,
  insertReversal,
} from '../../money/adjustments/adjustments.ts'
import { decideAdjustment } from '../../money/adjustments/decide-adjustment.ts'
import { activeCredit } from '../../money/commissions/commission-rules.ts'
import { findCommissionOfAdjustment } from '../../money/commissions/commissions.ts'
import { lockCommissionAccount, rebook } from '../../money/commissions/rebook.ts'
import { ADJUSTMENT_CAUSE } from '../../money/ledger/ledger.ts'
import { Refusal } from '../../refusal.ts'
import { lockSaleById } from '../../sales/find-sales.ts'
import { applyAdjustments } from '../commissions/credited-commissions.ts'
import { storeReviewDecision } from '../commissions/store-review-decision.ts'

type Reversal = { programId: number; adjustmentId: number; userId: string; reason: string; clock: Clock }

/** Undoes an adjustment: the money goes to where the rules put it without the adjustment. Null if it does not exist. */
export const reverseAdjustment = async (tx: Tx, reversal: Reversal): Promise<{ id: number } | null> => {
  const { programId, adjustmentId, userId, reason, clock } = reversal
  const adjustment = await findAdjustment(tx, { programId, id: adjustmentId })
  if (!adjustment) return null
  const { commissionId, saleId } = adjustment
  if (commissionId !== null) await lockCustomerOfMaximum(tx, { programId, commissionId })
  else if (saleId !== null) await lockCustomerOfMaximum(tx, { programId, saleId })
  const at = clock()
  const sale = await lockSubject(tx, adjustment)
  if (!(await insertReversal(tx, { adjustment, reason, reversedBy: userId, reversedAt: at })))
    throw new Refusal('conflict', 'This adjustment was already undone.')
  if (adjustment.type === 'void') await restoreVoided(tx, adjustment, at)
  else if (sale) await restoreSale(tx, { adjustment, sale, at })
  else await takeBackPayment(tx, adjustment, at)
  await recordAudit(tx, {
    programId,
    userId,
    at,
    action: 'adjustment undone',
    subject: `adjustment ${adjustmentId}`,
    before: { type: adjustment.type, partnerId: adjustment.partnerId },
    after: { reason },
  })
  return { id: adjustmentId }
}

type LockedSale = { id: number; partnerId: number | null }

/** For a credit or a move, locks the sale; if it was merged into another, that one. For a void, locks the commissions. */
const lockSubject = async (tx: Tx, adjustment: Adjustment): Promise<LockedSale | null> => {
  const { programId, type, saleId, commissionId } = adjustment
  if (type === 'void')
    for (const id of await findVoidedCommissions(tx, { programId, commissionId: commissionId ?? 0 }))
      await lockCommissionAccount(tx, { programId, commissionId: id })
  if ((type !== 'credit' && type !== 'move') || saleId === null) return null
  const named = await lockSaleById(tx, { programId, saleId })
  const sale = named?.mergedInto ? await lockSaleById(tx, { programId, saleId: named.mergedInto }) : named
  return sale ?? null
}

const restoreVoided = async (tx: Tx, { programId, commissionId }: Adjustment, at: Date) => {
  for (const id of await findVoidedCommissions(tx, { programId, commissionId: commissionId ?? 0 })) {
    const cause = { kind: 'adjustment', ledgerCause: ADJUSTMENT_CAUSE.voidUndone } as const
    await rebook(tx, { programId, commissionId: id, cause, at })
    await storeReviewDecision(tx, { programId, commissionId: id, decision: 'void_undone', at })
  }
}

const takeBackPayment = async (tx: Tx, { programId, id }: Adjustment, at: Date) => {
  const commission = await findCommissionOfAdjustment(tx, { programId, adjustmentId: id })
  if (!commission) throw new Error(`adjustment ${id} has no commission`)
  const key = { programId, commissionId: commission.id }
  await lockCommissionAccount(tx, key)
  await rebook(tx, { ...key, cause: { kind: 'adjustment', ledgerCause: ADJUSTMENT_CAUSE.undone }, at })
}

type RestoredSale = { adjustment: Adjustment; sale: LockedSale; at: Date }

/** An earlier decision about the sale counts again; without one, the automatic rules decide. */
const restoreSale = async (tx: Tx, { adjustment, sale, at }: RestoredSale) => {
  const { programId, id } = adjustment
  const saleId = sale.id
  await applyAdjustments(tx, { programId, saleId, ledgerCause: ADJUSTMENT_CAUSE.undone, at })
  const active = activeCredit(await findCreditsOfSale(tx, { programId, saleId }))
  const facts = { action: 'undo', partnerId: active?.partnerId ?? sale.partnerId } as const
  await storeDecision(tx, {
    programId,
    subject: 'adjustment',
    subjectId: id,
    of: { saleId },
    rule: 'adjustment',
    facts,
    at,
    result: decideAdjustment(facts),
  })
}
