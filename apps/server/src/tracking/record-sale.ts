import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { SharedTransactions } from '../database/shared-transactions.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import {
  findStored,
  type IdempotentCall,
  nameOfCall,
  type Replayable,
  runOnce,
} from '../idempotency/idempotency-keys.ts'
import { claimReference, claimWhereHeard } from '../payments/payments.ts'
import { findProgram } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { findSales, type Sale } from '../sales/find-sales.ts'
import { followPayment } from './follow-payment.ts'
import { makeSale, type RecordedSale, type SaleCall } from './make-sale.ts'
import { isSameRequest } from './request-hash.ts'
import { salesOfPayment } from './sales-of-payment.ts'

type Telling = { clock: Clock; hashKey: string }
type Dependencies = Telling & { db: Database; shared: Pick<SharedTransactions, 'sales'> }

/** The merchant reports a sale. Its invoice makes it once for ever, under any name that the processor knows the payment by. */
export const recordSale = (
  dependencies: Dependencies,
  call: SaleCall,
  once: IdempotentCall | null = null,
): Promise<Replayable<RecordedSale>> => {
  const { db, shared, ...using } = dependencies
  const { program, invoiceId, customerKey } = call
  const story = (tx: Tx) => runOnce(tx, once, () => tellSale(tx, using, call))
  // A click may be of any customer, also of one whom another sale names by the key.
  if (customerKey === null) return inTransaction(db, story)
  const names = [`${program.workspaceId} ${invoiceId}`, ...(once ? [nameOfCall(once)] : [])]
  const known = async () => (await findStored<RecordedSale>(db, once)) ?? refuseStored(db, call)
  return shared.sales(names, story, { known })
}

const tellSale = async (tx: Tx, { clock, hashKey }: Telling, call: SaleCall) => {
  const heard = await claimNames(tx, call)
  const [stored] = heard ? await salesOfPayment(tx, { programId: heard.scopeId, paymentId: heard.paymentId }) : []
  if (stored) throw duplicate(call, stored)
  const at = clock()
  const made = await makeSale(tx, hashKey, { call, reportedBy: 'merchant', soldAt: at, at })
  if (!made) throw await duplicateInvoice(tx, call)
  // The processor may have told of a refund of this very payment before.
  if (heard) {
    const { program } = call
    const home = heard.scopeId === program.id ? program : await findProgram(tx, heard.scopeId)
    if (!home) throw new Error('the program that heard of a payment is there')
    await followPayment(tx, { clock, hashKey }, { home, paymentId: heard.paymentId })
  }
  return made
}

/** Holds the name where the processor is heard, then in the sale's own program. Answers the payment that has it, if one does. */
const claimNames = async (tx: Tx, call: SaleCall): Promise<{ scopeId: number; paymentId: number } | null> => {
  const { program, invoiceId: reference } = call
  const { id: programId, workspaceId } = program
  const { scopeId, ...heard } = await claimWhereHeard(tx, { programId, workspaceId, reference })
  const own = scopeId === programId ? heard : await claimReference(tx, { programId, reference })
  if (!own.isNew && own.paymentId === null && heard.paymentId === null) {
    // Another program of the workspace may have claimed the name at its home, and that is none of this program's business.
    const stored = await findOwn(tx, call)
    if (stored) throw duplicate(call, stored)
  }
  if (heard.paymentId !== null) return { scopeId, paymentId: heard.paymentId }
  return own.paymentId === null ? null : { scopeId: programId, paymentId: own.paymentId }
}

/** A sale that is there stays there, so this look needs no lock. */
const refuseStored = async (db: Database, call: SaleCall): Promise<null> => {
  const stored = await findOwn(db, call)
  if (stored) throw duplicate(call, stored)
  return null
}

const findOwn = async (tx: Database | Tx, { program, invoiceId }: SaleCall) =>
  (await findSales(tx, { programIds: [program.id], invoiceIds: [invoiceId] }))[0]

const duplicateInvoice = async (tx: Tx, call: SaleCall) => {
  const stored = await findOwn(tx, call)
  if (!stored) throw new Error('the invoice that was in the way is not there')
  return duplicate(call, stored)
}

const duplicate = (call: SaleCall, stored: Sale) => {
  const sameRequest = isSameRequest(call, stored.requestHash)
  return new Refusal('duplicate_invoice', messageOf(stored, sameRequest), {
    field: 'invoice_id',
    facts: {
      sale_id: stored.id,
      same_request: sameRequest,
      ...(stored.reportedBy === 'processor' && { reported_by: stored.reportedBy }),
    },
  })
}

const messageOf = ({ reportedBy }: Sale, sameRequest: boolean) => {
  if (sameRequest) return 'This sale was recorded before; nothing changed and there is nothing to do.'
  return reportedBy === 'processor'
    ? 'The payment processor has reported this payment; its sale is recorded and there is nothing to do.'
    : 'This invoice_id was used for another sale. Use one invoice_id for one sale.'
}
