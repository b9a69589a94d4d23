import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { isUniqueViolation } from '../database/bad-weather.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { keepDecision } from '../explain/decisions.ts'
import { payoutsOfCommission } from '../explain/payouts.ts'
import { type Commission, findCommissionOfSale } from '../money/commissions.ts'
import { decideReversal, type ReversalFacts } from '../money/decide-reversal.ts'
import { lockPartnerAccount, standingOf } from '../money/ledger.ts'
import { findRefund, insertRefund, isProcessorRefund, keepProcessorRefunds, refundedCentsOf } from '../money/refunds.ts'
import { takeBack } from '../money/take-back.ts'
import { Refusal } from '../refusal.ts'
import { lockSaleByInvoice, type Sale } from '../sales/sales.ts'
import { correctCommission } from './correct-commission.ts'

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

type Dependencies = { db: Database; clock: Clock }
type RefundedSale = { id: number; amountCents: number; currency: string }

/** One story for every way a refund is reported. Parts add up to the whole, and the whole is never passed. */
export const recordRefund = async (dependencies: Dependencies, call: RefundCall): Promise<RecordedRefund> => {
  try {
    return await refund(dependencies, call)
  } catch (error) {
    // Refunds of one sale wait for each other; those of two sales under one refund_id meet here, and the second is a repeat.
    if (!isUniqueViolation(error)) throw error
    return refund(dependencies, call)
  }
}

const refund = ({ db, clock }: Dependencies, call: RefundCall): Promise<RecordedRefund> =>
  inTransaction(db, async (tx) => {
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
  })

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
  if (!commission || result.amountCents === 0) return
  const { amountCents } = result
  await takeBack(tx, { programId, commission, toAccount: 'program', amountCents, cause: 'refund', refundId, at })
}

/** Read under the lock of the partner's account, so that what was decided is what is taken. */
const commissionFacts = async (tx: Tx, programId: number, commission: Commission) => {
  const { id: commissionId, partnerId, amountCents, currency } = commission
  await lockPartnerAccount(tx, { programId, partnerId, currency })
  const { promised: promisedCents } = await standingOf(tx, { programId, commissionId })
  const [paid] = await payoutsOfCommission(tx, { programId, commissionId })
  return { amountCents, currency, promisedCents, wasPaid: paid !== undefined }
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
  const promised = commission ? (await standingOf(tx, { programId, commissionId: commission.id })).promised : 0
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
