import type { AdjustmentRequest } from '@tributary/contract'
import type { Tx } from '../../database/transaction.ts'
import { idempotentCall, keyOfAdjustment, type Replayable, runOnce } from '../../idempotency/idempotency-keys.ts'
import type { Program } from '../../programs/programs.ts'
import { addPayment } from './add-payment.ts'
import { assignSale } from './assign-sale.ts'
import { voidCommission } from './void-commission.ts'

export type AdjustmentCall = { program: Program; userId: string; request: AdjustmentRequest }

/** Makes an adjustment, once per idempotency key. */
export const adjust = (
  tx: Tx,
  { hashKey, at, ...call }: AdjustmentCall & { hashKey: string; at: Date },
): Promise<Replayable<{ id: number }>> => {
  const { idempotencyKey, ...request } = call.request
  const { id: programId } = call.program
  const named = { programId, key: keyOfAdjustment(idempotencyKey ?? ''), request: JSON.stringify(request), at }
  const once = idempotencyKey === undefined ? null : idempotentCall(hashKey, named)
  return runOnce(tx, once, () => makeAdjustment(tx, call, at))
}

/** Without the idempotency key, for a preview too. */
export const makeAdjustment = async (tx: Tx, call: AdjustmentCall, at: Date): Promise<{ id: number }> => {
  const { program, userId, request } = call
  const by = { programId: program.id, userId, reason: request.reason, note: request.note ?? null, at }
  if (request.type === 'bonus' || request.type === 'commission')
    return { id: await addPayment(tx, program, { ...by, request }) }
  if (request.type === 'void') return { id: await voidCommission(tx, { ...by, commissionId: request.commissionId }) }
  return { id: await assignSale(tx, { ...by, request }) }
}
