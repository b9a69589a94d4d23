import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { count } from '../events/daily-counts.ts'
import { claimReference } from '../payments/payments.ts'
import { Refusal } from '../refusal.ts'
import { findSales, type Sale } from '../sales/sales.ts'
import { followPayment } from './follow-payment.ts'
import { makeSale, type RecordedSale, type SaleCall } from './make-sale.ts'
import { isSameRequest } from './request-hash.ts'
import { salesOfPayment } from './sales-of-payment.ts'

type Dependencies = { db: Database; clock: Clock; hashKey: string }

/** The merchant reports a sale. Its invoice makes it once for ever, under any name that the processor knows the payment by. */
export const recordSale = ({ db, clock, hashKey }: Dependencies, call: SaleCall): Promise<RecordedSale> =>
  inTransaction(db, async (tx) => {
    const { program, invoiceId } = call
    const { isNew, paymentId } = await claimReference(tx, { programId: program.id, reference: invoiceId })
    if (!isNew && paymentId === null) throw await duplicateInvoice(tx, call)
    const [stored] = paymentId === null ? [] : await salesOfPayment(tx, { programId: program.id, paymentId })
    if (stored) throw duplicate(call, stored)
    const at = clock()
    const made = await makeSale(tx, hashKey, { call, reportedBy: 'merchant', soldAt: at, at })
    if (!made) throw await duplicateInvoice(tx, call)
    const { counted, ...recorded } = made
    // The processor may have told of a refund of this very payment before.
    if (paymentId === null) await count(tx, program.id, counted)
    else await followPayment(tx, { clock, hashKey }, { home: program, paymentId, counted })
    return recorded
  })

const duplicateInvoice = async (tx: Tx, call: SaleCall) => {
  const { program, invoiceId } = call
  const [stored] = await findSales(tx, { programIds: [program.id], invoiceIds: [invoiceId] })
  if (!stored) throw new Error('the invoice that was in the way is not there')
  return duplicate(call, stored)
}

const duplicate = (call: SaleCall, stored: Sale) => {
  const sameRequest = isSameRequest(call, stored.requestHash)
  return new Refusal('duplicate_invoice', messageOf(stored, sameRequest), {
    field: 'invoice_id',
    facts: { sale_id: stored.id, same_request: sameRequest },
  })
}

const messageOf = ({ reportedBy }: Sale, sameRequest: boolean) => {
  if (sameRequest) return 'This sale was recorded before; nothing changed and there is nothing to do.'
  return reportedBy === 'processor'
    ? 'The payment processor has reported this payment; its sale is recorded and there is nothing to do.'
    : 'This invoice_id was used for another sale. Use one invoice_id for one sale.'
}
