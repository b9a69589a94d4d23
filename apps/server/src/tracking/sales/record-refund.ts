import { createHash } from 'node:crypto'
import type { Recorder } from '../../clock.ts'
import { lockCustomerOfMaximum } from '../../customers/maximum-locks.ts'
import type { Batch, Batches } from '../../database/batches.ts'
import type { Tx } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/transient-errors.ts'
import { markRefundedSale } from '../../events/roll-up/changed-days.ts'
import { type IdempotentCall, nameOfCall, type Replayable, runEachOnce } from '../../idempotency/idempotency-keys.ts'
import { findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { findRefund, findRefundedGrossCents, insertRefund, isProcessorRefund } from '../../money/commissions/refunds.ts'
import { findPromisedCents } from '../../money/ledger/ledger.ts'
import { Refusal } from '../../refusal.ts'
import { lockSaleByInvoice } from '../../sales/find-sales.ts'
import { type RefundedSale, reverseCommission } from '../commissions/commission-changes.ts'

type RefundCall = {
  programId: number
  workspaceId: string
  invoiceId: string
  /** Null refunds the rest of the sale. */
  amountCents: number | null
  currency: string | null
  reason: string | null
  refundId: string | null
}

type RecordedRefund = {
  saleId: number
  commissionId: number | null
  refundedCents: number
  reversedCents: number
  duplicate: boolean
}

/** A refund call with its Idempotency-Key, if it has one. */
type QueuedRefund = RefundCall & { once: IdempotentCall | null }
export type RefundBatches = Batches<QueuedRefund, Replayable<RecordedRefund>>
type Dependencies = { batches: { refunds: Pick<RefundBatches, 'run' | 'alone'> } }

/** Records a full or partial refund. Refunds add up and never exceed the sale. */
export const recordRefund = async (
  { batches: { refunds } }: Dependencies,
  call: RefundCall,
  once: IdempotentCall | null = null,
): Promise<Replayable<RecordedRefund>> => {
  const { programId, invoiceId, refundId } = call
  const names = [
    `${programId} ${invoiceId}`,
    ...(refundId ? [`refund ${programId} ${refundId}`] : []),
    ...(once ? [nameOfCall(once)] : []),
  ]
  try {
    return await refunds.run(names, { ...call, once })
  } catch (error) {
    // Two refunds of different sales with the same refund_id can race; the rerun reports the loser as a repeat or a conflict.
    if (!isUniqueViolation(error)) throw error
    return refunds.alone({ ...call, once })
  }
}

/** Records refunds, each Idempotency-Key once. The queue passes one at a time (compose.ts). */
export const recordRefunds =
  (recorder: Pick<Recorder, 'clock'>): Batch<QueuedRefund, Replayable<RecordedRefund>> =>
  (tx, rows) =>
    runEachOnce(tx, rows, async (open) => {
      for (const row of open)
        try {
          row.outcome = { result: await refund(tx, recorder, row) }
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          row.outcome = { refusal: error }
        }
    })

const refund = async (tx: Tx, { clock }: Pick<Recorder, 'clock'>, call: RefundCall): Promise<RecordedRefund> => {
  const { programId, invoiceId, refundId, reason } = call
  await lockCustomerOfMaximum(tx, { programId, invoiceId })
  const sale = await lockSaleByInvoice(tx, { programId, invoiceId })
  if (!sale)
    throw new Refusal(
      'sale_not_found',
      'No sale in this program has this invoice_id. Check the ID, and that you use the API key of the right program.',
      { field: 'invoice_id' },
    )
  const requestHash = hashRefundRequest(call)
  const isKnown =
    refundId !== null &&
    ((await isRepeat(tx, { programId, refundId, requestHash })) ||
      (await isProcessorRefund(tx, { programId, saleId: sale.id, refundId })))
  if (isKnown) return { ...(await loadOutcome(tx, programId, sale)), duplicate: true }

  const amountCents = amountToRefund(call, sale, await findRefundedGrossCents(tx, { programId, saleId: sale.id }))
  if (amountCents === 0) return { ...(await loadOutcome(tx, programId, sale)), duplicate: true }
  const at = clock()
  const inserted = await insertRefund(tx, {
    programId,
    saleId: sale.id,
    refundId,
    amountCents,
    isAll: call.amountCents === null,
    reason,
    requestHash,
    refundedAt: at,
  })
  await markRefundedSale(tx, { programId, saleId: sale.id })
  await reverseCommission(tx, { programId, sale, cause: 'refund', refundId: inserted, at })
  return { ...(await loadOutcome(tx, programId, sale)), duplicate: false }
}

type TaxedSale = RefundedSale & { grossCents: number | null }

/** In the merchant’s terms: with tax, if the sale was sent with one. */
const amountToRefund = ({ amountCents, currency }: RefundCall, sale: TaxedSale, refunded: number) => {
  if (currency !== null && currency !== sale.currency)
    throw new Refusal(
      'invalid_currency',
      `currency must be ${sale.currency}, the currency of the sale. Leave it out or send ${sale.currency}.`,
      {
        field: 'currency',
      },
    )
  const left = (sale.grossCents ?? sale.amountCents) - refunded
  if (amountCents !== null && amountCents > left)
    throw new Refusal(
      'invalid_amount',
      `amount must be at most ${left}, the part of this sale that is not refunded yet.`,
      {
        field: 'amount',
      },
    )
  return amountCents ?? left
}

const isRepeat = async (
  tx: Tx,
  { programId, refundId, requestHash }: { programId: number; refundId: string; requestHash: Buffer },
) => {
  const known = await findRefund(tx, { programId, refundId })
  if (known && !requestHash.equals(known.requestHash))
    throw new Refusal('conflict', 'This refund_id belongs to another refund. Send a new refund_id for each refund.', {
      field: 'refund_id',
    })
  return Boolean(known)
}

const loadOutcome = async (tx: Tx, programId: number, sale: RefundedSale) => {
  const commission = await findCommissionOfSale(tx, { programId, saleId: sale.id })
  const promised = commission ? await findPromisedCents(tx, { programId, commissionId: commission.id }) : 0
  return {
    saleId: sale.id,
    commissionId: commission?.id ?? null,
    refundedCents: await findRefundedGrossCents(tx, { programId, saleId: sale.id }),
    reversedCents: commission ? commission.amountCents - promised : 0,
  }
}

const hashRefundRequest = ({ invoiceId, amountCents }: RefundCall) =>
  createHash('sha256')
    .update(JSON.stringify([invoiceId, amountCents]))
    .digest()
