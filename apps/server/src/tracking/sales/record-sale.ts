import type { Recorder } from '../../clock.ts'
import { type Batch, type Batches, EXCLUDED, type Row } from '../../database/batches.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import {
  findStored,
  type IdempotentCall,
  nameOfCall,
  type Replayable,
  runEachOnce,
} from '../../idempotency/idempotency-keys.ts'
import { sharedTermsLock } from '../../money/rewards/reward-terms.ts'
import { claimInvoices, type InvoiceClaim, lockPaymentOfInvoice } from '../../payments/payments.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { findSales, findSalesOfPayment, type Sale } from '../../sales/find-sales.ts'
import { lockStatingPayment } from '../payments/stated-invoices.ts'
import { createSales, isSameRequest, type RecordedSale, type ReportedSale, type SaleCall } from './create-sales.ts'

/** A sale call with its Idempotency-Key, if it has one. */
type QueuedSale = SaleCall & { once: IdempotentCall | null }
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
  return batches.sales.run(names, { ...call, once }, { findKnown })
}

type Payment = { inboxProgram: Program; paymentId: number }

/** Brings the sale of a payment up to date with its reports. */
export type SyncPayment = (tx: Tx, recorder: Recorder, payment: Payment) => Promise<void>

type SaleRow = Row<QueuedSale, Replayable<RecordedSale>> & InvoiceClaim

/** Records a batch of concurrent sales, each Idempotency-Key once. */
export const recordSales =
  (recorder: Recorder, syncPayment: SyncPayment): Batch<QueuedSale, Replayable<RecordedSale>> =>
  (tx, rows) =>
    runEachOnce(tx, rows, async (open: SaleRow[]) => {
      const lockedTerms = { programIds: new Set(open.map(({ program }) => program.id)) }
      // The claims also lock the reward terms, which saves every sale a round trip.
      await claimInvoices(tx, open, sharedTermsLock([...lockedTerms.programIds]))
      const payment = await checkKnownInvoices(tx, open)
      if (open.some(({ outcome }) => outcome)) return
      const at = recorder.clock()
      const sales = open.map((row): SaleRow & ReportedSale =>
        Object.assign(row, {
          reportedBy: 'merchant' as const,
          soldAt: at,
          at,
          codes: row.promotionCode ? [{ code: row.promotionCode }] : [],
        }),
      )
      await createSales(tx, recorder, sales, lockedTerms)
      for (const sale of sales)
        if (sale.recorded) sale.outcome = { result: sale.recorded }
        else sale.outcome = sales.length > 1 ? EXCLUDED : { refusal: await duplicateInvoice(tx, sale) }
      // The processor may already have reported a refund of this payment.
      if (payment) await syncPayment(tx, recorder, payment)
    })

/**
 * A known invoice ID is a duplicate, or that of a reported payment, which is returned. Payments are locked, so such a sale is excluded
 * from a batch.
 */
const checkKnownInvoices = async (tx: Tx, rows: SaleRow[]): Promise<Payment | null> => {
  const known = rows.filter(({ isNew }) => !isNew)
  if (rows.length > 1) for (const row of known) row.outcome = EXCLUDED
  const [only] = known
  if (!only || only.outcome) return null
  const payment = (await lockPaymentOfInvoice(tx, only)) ?? (await lockStatingPayment(tx, only))
  const stored = payment ? await findSaleOfPayment(tx, payment) : await findDuplicate(tx, only)
  if (stored) only.outcome = { refusal: duplicate(only, stored) }
  if (!payment || stored) return null
  const { program } = only
  const inboxProgram = payment.inboxProgramId === program.id ? program : await findProgram(tx, payment.inboxProgramId)
  if (!inboxProgram) throw new Error('The program that received the payment does not exist')
  return { inboxProgram, paymentId: payment.paymentId }
}

const findSaleOfPayment = async (
  tx: Tx,
  { inboxProgramId, paymentId }: { inboxProgramId: number; paymentId: number },
) => (await findSalesOfPayment(tx, { programId: inboxProgramId, paymentId }))[0]

/** Only a sale of this program makes it a duplicate; another program of the workspace may have claimed the reference. */
const findDuplicate = async (tx: Tx, row: SaleRow) => (row.isNewHere ? undefined : findByInvoice(tx, row))

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
