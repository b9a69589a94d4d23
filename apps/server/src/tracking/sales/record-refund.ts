import { createHash } from 'node:crypto'
import type { Batch, Batches, Outcome } from '../../database/batches.ts'
import type { Tx } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/transient-errors.ts'
import { type IdempotentCall, nameOfCall, type Replayable, runEachOnce } from '../../idempotency/idempotency-keys.ts'
import { findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { findRefund, insertRefund, isProcessorRefund, refundedCentsOf } from '../../money/commissions/refunds.ts'
import { promisedOf } from '../../money/ledger/ledger.ts'
import { Refusal } from '../../refusal.ts'
import { lockSaleByInvoice } from '../../sales/find-sales.ts'
import type { Recorder } from '../recorder.ts'
import { type RefundedSale, reverseFor } from './commission-changes.ts'

export type RefundCall = {
  programId: number
  invoiceId: string
  /** Null: all that is left of the sale. */
  amountCents: number | null
  currency: string | null
  reason: string | null
  refundId: string | null
}

export type RecordedRefund = {
  saleId: number
  commissionId: number | null
  refundedCents: number
  reversedCents: number
  duplicate: boolean
}

/** A refund that is reported, and its Idempotency-Key. */
type ToldRefund = { call: RefundCall; once: IdempotentCall | null }
export type RefundBatches = Batches<ToldRefund, Replayable<RecordedRefund>>
type Dependencies = { batches: { refunds: Pick<RefundBatches, 'run' | 'alone'> } }

/** One operation for every way a refund is reported. Parts add up to the whole, and the whole is never passed. */
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
    return await refunds.run(names, { call, once })
  } catch (error) {
    // Refunds of one sale wait for each other; those of two sales under one refund_id meet here, and the second is a repeat.
    if (!isUniqueViolation(error)) throw error
    return refunds.alone({ call, once })
  }
}

/** All refunds that come at once, each once for its key. */
export const recordRefunds =
  (telling: Pick<Recorder, 'clock'>): Batch<ToldRefund, Replayable<RecordedRefund>> =>
  (tx, told) =>
    runEachOnce(
      tx,
      told.map(({ once }) => once),
      async (places) => {
        const outcomes: Outcome<RecordedRefund>[] = []
        for (const place of places)
          outcomes.push(await orRefusal(refund(tx, telling, (told[place] as ToldRefund).call)))
        return outcomes
      },
    )

const orRefusal = <Result>(carriedOut: Promise<Result>): Promise<Result | Refusal> =>
  carriedOut.catch((error) => {
    if (error instanceof Refusal) return error
    throw error
  })

const refund = async (tx: Tx, { clock }: Pick<Recorder, 'clock'>, call: RefundCall): Promise<RecordedRefund> => {
  const { programId, invoiceId, refundId, reason } = call
  const sale = await lockSaleByInvoice(tx, { programId, invoiceId })
  if (!sale)
    throw new Refusal('sale_not_found', 'No sale of this program has this invoice_id.', { field: 'invoice_id' })
  const requestHash = hashOf(call)
  const isKnown =
    refundId !== null &&
    ((await isRepeat(tx, { programId, refundId, requestHash })) ||
      (await isProcessorRefund(tx, { programId, saleId: sale.id, refundId })))
  if (isKnown) return { ...(await outcomeOf(tx, programId, sale)), duplicate: true }

  const amountCents = amountOf(call, sale, await refundedCentsOf(tx, { programId, saleId: sale.id }))
  if (amountCents === 0) return { ...(await outcomeOf(tx, programId, sale)), duplicate: true }
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
  await reverseFor(tx, { programId, sale, cause: 'refund', refundId: inserted, at })
  return { ...(await outcomeOf(tx, programId, sale)), duplicate: false }
}

const amountOf = ({ amountCents, currency }: RefundCall, sale: RefundedSale, refunded: number) => {
  if (currency !== null && currency !== sale.currency)
    throw new Refusal('invalid_currency', `The sale was made in ${sale.currency}; refund it in ${sale.currency}.`, {
      field: 'currency',
    })
  const left = sale.amountCents - refunded
  if (amountCents !== null && amountCents > left)
    throw new Refusal('invalid_amount', `Only ${left} of this sale of ${sale.amountCents} are left to refund.`, {
      field: 'amount',
    })
  return amountCents ?? left
}

const isRepeat = async (
  tx: Tx,
  { programId, refundId, requestHash }: { programId: number; refundId: string; requestHash: Buffer },
) => {
  const known = await findRefund(tx, { programId, refundId })
  if (known && !requestHash.equals(known.requestHash))
    throw new Refusal('conflict', 'This refund_id was used for another refund. Use one refund_id for one refund.', {
      field: 'refund_id',
    })
  return Boolean(known)
}

const outcomeOf = async (tx: Tx, programId: number, sale: RefundedSale) => {
  const commission = await findCommissionOfSale(tx, { programId, saleId: sale.id })
  const promised = commission ? await promisedOf(tx, { programId, commissionId: commission.id }) : 0
  return {
    saleId: sale.id,
    commissionId: commission?.id ?? null,
    refundedCents: await refundedCentsOf(tx, { programId, saleId: sale.id }),
    reversedCents: commission ? commission.amountCents - promised : 0,
  }
}

const hashOf = ({ invoiceId, amountCents }: RefundCall) =>
  createHash('sha256')
    .update(JSON.stringify([invoiceId, amountCents]))
    .digest()
