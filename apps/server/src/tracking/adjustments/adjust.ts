import type { AdjustmentRequest } from '@tributary/contract'
import type { Clock } from '../../clock.ts'
import { lockCustomerOfMaximum } from '../../customers/maximum-locks.ts'
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
  { hashKey, clock, ...call }: AdjustmentCall & { hashKey: string; clock: Clock },
): Promise<Replayable<{ id: number }>> => {
  const { idempotencyKey, ...request } = call.request
  const { id: programId } = call.program
  const named = { programId, key: keyOfAdjustment(idempotencyKey ?? ''), request: JSON.stringify(request), at: clock() }
  const once = idempotencyKey === undefined ? null : idempotentCall(hashKey, named)
  return runOnce(tx, once, () => makeAdjustment(tx, call, clock))
}

/** Without the idempotency key, for a preview too. */
export const makeAdjustment = async (tx: Tx, call: AdjustmentCall, clock: Clock): Promise<{ id: number }> => {
  const { program, userId, request } = call
  if (request.type !== 'bonus' && request.type !== 'commission')
    await lockCustomerOfMaximum(tx, { programId: program.id, ...request })
  const at = clock()
  const by = { programId: program.id, userId, reason: request.reason, note: request.note ?? null, at }
  if (request.type === 'bonus' || request.type === 'commission')
    return { id: await addPayment(tx, program, { ...by, request }) }
  if (request.type === 'void') return { id: await voidCommission(tx, { ...by, commissionId: request.commissionId }) }
  return { id: await assignSale(tx, { ...by, request }) }
}
