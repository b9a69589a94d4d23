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
import { claimAllWhereHeard, claimNew, claimReference, claimWhereHeard } from '../../payments/payments.ts'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { findSales, type Sale } from '../../sales/find-sales.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { salesOfPayment } from '../payments/load-candidates.ts'
import type { Recorder } from '../recorder.ts'
import { makeSales, type RecordedSale } from './make-sale.ts'
import type { SaleCall } from './sale-call.ts'
import { isSameRequest } from './sale-call.ts'

/** A sale that the merchant reports, and its Idempotency-Key. */
type ToldSale = { call: SaleCall; once: IdempotentCall | null }
export type SaleBatches = Batches<ToldSale, Replayable<RecordedSale>>
type Dependencies = { db: Database; batches: { sales: Pick<SaleBatches, 'run'> } }

/** The merchant reports a sale. Its invoice makes it once for ever, under any name that the processor knows the payment by. */
export const recordSale = (
  { db, batches }: Dependencies,
  call: SaleCall,
  once: IdempotentCall | null = null,
): Promise<Replayable<RecordedSale>> => {
  const { program, invoiceId } = call
  const names = [`${program.workspaceId} ${invoiceId}`, ...(once ? [nameOfCall(once)] : [])]
  const known = async () => (await findStored<RecordedSale>(db, once)) ?? refuseStored(db, call)
  return batches.sales.run(names, { call, once }, { known })
}

/** All sales that come at once, each once for its key. */
export const recordSales =
  (using: Recorder): Batch<ToldSale, Replayable<RecordedSale>> =>
  (tx, told) =>
    runEachOnce(
      tx,
      told.map(({ once }) => once),
      (places) => {
        const calls = places.map((place) => (told[place] as ToldSale).call)
        return calls.length > 1 ? tellTogether(tx, using, calls) : tellAlone(tx, using, calls)
      },
    )

/** Sales of which nobody has told yet. One whose name is known looks at what was told, and has a transaction to itself. */
const tellTogether = async (
  tx: Tx,
  { clock, hashKey }: Recorder,
  calls: SaleCall[],
): Promise<Outcome<RecordedSale>[]> => {
  const isNew = await claimNewNames(tx, calls)
  if (isNew.includes(false)) return excluding(isNew.map((is) => !is))
  const at = clock()
  const made = await makeSales(
    tx,
    hashKey,
    calls.map((call) => ({ call, reportedBy: 'merchant', soldAt: at, at })),
  )
  return made.map((sale) => sale ?? ALONE)
}

const tellAlone = async (tx: Tx, { clock, hashKey }: Recorder, [call]: SaleCall[]) => {
  if (!call) return []
  const heard = await claimNames(tx, call)
  const [stored] = heard ? await salesOfPayment(tx, { programId: heard.scopeId, paymentId: heard.paymentId }) : []
  if (stored) throw duplicate(call, stored)
  const at = clock()
  const [made] = await makeSales(tx, hashKey, [{ call, reportedBy: 'merchant', soldAt: at, at }])
  if (!made) throw await duplicateInvoice(tx, call)
  // The processor may have told of a refund of this very payment before.
  if (heard) {
    const { program } = call
    const home = heard.scopeId === program.id ? program : await findProgram(tx, heard.scopeId)
    if (!home) throw new Error('the program that heard of a payment is there')
    await followPayment(tx, { clock, hashKey }, { home, paymentId: heard.paymentId })
  }
  return [made]
}

/** Holds the names where the processor is heard, then in the sales' own programs. Says which of them nobody had before. */
const claimNewNames = async (tx: Tx, calls: SaleCall[]) => {
  const names = calls.map(({ program, invoiceId: reference }) => ({
    ...{ programId: program.id, workspaceId: program.workspaceId, reference },
  }))
  const heard = await claimAllWhereHeard(tx, names)
  const own = await forSome(
    names,
    ({ programId }, place) => heard[place]?.scopeId !== programId,
    (some) => claimNew(tx, some),
  )
  return heard.map(({ isNew }, place) => isNew && own[place] !== false)
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
