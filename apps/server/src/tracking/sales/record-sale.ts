import type { Recorder } from '../../clock.ts'
import { ALONE, type Batch, type Batches, excluding, type Outcome } from '../../database/batches.ts'
import type { Database } from '../../database/connect.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import {
  findStored,
  type IdempotentCall,
  nameOfCall,
  type Replayable,
  runEachOnce,
} from '../../idempotency/idempotency-keys.ts'
import { type LockedTerms, sharedTermsLock } from '../../money/rewards/reward-terms.ts'
import { claimAllInHome, claimInHome, claimNewReferences, claimReference } from '../../payments/payments.ts'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { findSales, type Sale } from '../../sales/find-sales.ts'
import { findSalesOfPayment } from '../payments/load-candidates.ts'
import { syncPayment } from '../payments/sync-payments.ts'
import { createSales, type RecordedSale } from './create-sales.ts'
import { isSameRequest, type SaleCall } from './sale-call.ts'

/** A sale call with its Idempotency-Key, if it has one. */
type QueuedSale = { call: SaleCall; once: IdempotentCall | null }
export type SaleBatches = Batches<QueuedSale, Replayable<RecordedSale>>
type Dependencies = { db: Database; batches: { sales: Pick<SaleBatches, 'run'> } }

/**
 * Records a sale reported by the merchant, once per payment, even if the merchant sends another of the payment's references as
 * invoice_id.
 */
export const recordSale = (
  { db, batches }: Dependencies,
  call: SaleCall,
  once: IdempotentCall | null = null,
): Promise<Replayable<RecordedSale>> => {
  const { program, invoiceId } = call
  const names = [`${program.workspaceId} ${invoiceId}`, ...(once ? [nameOfCall(once)] : [])]
  const findKnown = async () => (await findStored<RecordedSale>(db, once)) ?? refuseStored(db, call)
  return batches.sales.run(names, { call, once }, { findKnown })
}

/** Records a batch of concurrent sales, each Idempotency-Key once. */
export const recordSales =
  (recorder: Recorder): Batch<QueuedSale, Replayable<RecordedSale>> =>
  (tx, queued) =>
    runEachOnce(
      tx,
      queued.map(({ once }) => once),
      (indexes) => {
        const calls = indexes.map((index) => (queued[index] as QueuedSale).call)
        return calls.length > 1 ? recordBatch(tx, recorder, calls) : recordOne(tx, recorder, calls)
      },
    )

/** Records sales with new invoice IDs. A sale with a known ID may belong to a reported payment and is rerun on its own. */
const recordBatch = async (
  tx: Tx,
  { clock, hashKey }: Recorder,
  calls: SaleCall[],
): Promise<Outcome<RecordedSale>[]> => {
  const isNew = await claimInvoiceIds(tx, calls)
  if (isNew.includes(false)) return excluding(isNew.map((is) => !is))
  const at = clock()
  const created = await createSales(
    tx,
    hashKey,
    calls.map((call) => ({ call, reportedBy: 'merchant', soldAt: at, at })),
    lockedTerms(calls),
  )
  return created.map((sale) => sale ?? ALONE)
}

const recordOne = async (tx: Tx, { clock, hashKey }: Recorder, [call]: SaleCall[]) => {
  if (!call) return []
  const payment = await claimInvoiceId(tx, call)
  const [stored] = payment
    ? await findSalesOfPayment(tx, { programId: payment.homeId, paymentId: payment.paymentId })
    : []
  if (stored) throw duplicate(call, stored)
  const at = clock()
  const [created] = await createSales(
    tx,
    hashKey,
    [{ call, reportedBy: 'merchant', soldAt: at, at }],
    lockedTerms([call]),
  )
  if (!created) throw await duplicateInvoice(tx, call)
  // The processor may already have reported a refund of this payment.
  if (payment) {
    const { program } = call
    const home = payment.homeId === program.id ? program : await findProgram(tx, payment.homeId)
    if (!home) throw new Error('The program that received the payment does not exist')
    await syncPayment(tx, { clock, hashKey }, { home, paymentId: payment.paymentId })
  }
  return [created]
}

const programIdsOf = (calls: SaleCall[]) => calls.map(({ program }) => program.id)

/** The claims also lock the reward terms, which saves every sale a round trip. */
const lockedTerms = (calls: SaleCall[]): LockedTerms => ({ programIds: new Set(programIdsOf(calls)) })

/** Claims each reference in the workspace's home program (processor/home-programs.ts), then in the sale's program. True means new. */
const claimInvoiceIds = async (tx: Tx, calls: SaleCall[]) => {
  const references = calls.map(({ program, invoiceId: reference }) => ({
    ...{ programId: program.id, workspaceId: program.workspaceId, reference },
  }))
  const home = await claimAllInHome(tx, references, sharedTermsLock(programIdsOf(calls)))
  const own = await forSome(
    references,
    ({ programId }, index) => home[index]?.homeId !== programId,
    (some) => claimNewReferences(tx, some),
  )
  return home.map(({ isNew }, index) => isNew && own[index] !== false)
}

/**
 * Claims the reference in the workspace's home program (processor/home-programs.ts), then in the sale's program. Returns its payment,
 * if any.
 */
const claimInvoiceId = async (tx: Tx, call: SaleCall): Promise<{ homeId: number; paymentId: number } | null> => {
  const { program, invoiceId: reference } = call
  const { id: programId, workspaceId } = program
  const { homeId, ...home } = await claimInHome(tx, { programId, workspaceId, reference }, sharedTermsLock([programId]))
  const own = homeId === programId ? home : await claimReference(tx, { programId, reference })
  if (!own.isNew && own.paymentId === null && home.paymentId === null) {
    // Only a sale of this program makes it a duplicate; another program of the workspace may have claimed the reference.
    const stored = await findByInvoice(tx, call)
    if (stored) throw duplicate(call, stored)
  }
  if (home.paymentId !== null) return { homeId, paymentId: home.paymentId }
  return own.paymentId === null ? null : { homeId: programId, paymentId: own.paymentId }
}

/** Stored sales are never deleted, so this check needs no lock. */
const refuseStored = async (db: Database, call: SaleCall): Promise<null> => {
  const stored = await findByInvoice(db, call)
  if (stored) throw duplicate(call, stored)
  return null
}

const findByInvoice = async (tx: Database | Tx, { program, invoiceId }: SaleCall) =>
  (await findSales(tx, { programIds: [program.id], invoiceIds: [invoiceId] }))[0]

const duplicateInvoice = async (tx: Tx, call: SaleCall) => {
  const stored = await findByInvoice(tx, call)
  if (!stored) throw new Error('The sale with the conflicting invoice ID does not exist')
  return duplicate(call, stored)
}

const duplicate = (call: SaleCall, stored: Sale) => {
  const sameRequest = isSameRequest(call, stored.requestHash)
  return new Refusal('duplicate_invoice', duplicateMessage(stored, sameRequest), {
    field: 'invoice_id',
    facts: {
      sale_id: stored.id,
      same_request: sameRequest,
      ...(stored.reportedBy === 'processor' && { reported_by: stored.reportedBy }),
    },
  })
}

const duplicateMessage = ({ reportedBy }: Sale, sameRequest: boolean) => {
  if (sameRequest) return 'This sale is already recorded. Nothing changed and there is nothing to do.'
  return reportedBy === 'processor'
    ? 'The payment processor already reported this payment. Its sale is recorded and there is nothing to do.'
    : 'This invoice_id belongs to another sale. Send a new invoice_id for each sale.'
}
