import type { Clock } from '../../src/clock.ts'
import type { Database } from '../../src/database/connect.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { lockSaleByInvoice } from '../../src/sales/find-sales.ts'
import { updateDispute } from '../../src/tracking/payments/update-sale.ts'

type DisputeCall = { programId: number; invoiceId: string; disputeId: string; status: 'open' | 'won' | 'lost' }

/** A dispute of a sale without a processor; the service itself receives disputes only in reports of payments. */
export const recordDispute = ({ db, clock }: { db: Database; clock: Clock }, call: DisputeCall) =>
  inTransaction(db, async (tx) => {
    const { programId, invoiceId, ...dispute } = call
    const sale = await lockSaleByInvoice(tx, { programId, invoiceId })
    if (!sale) throw new Error(`no sale of this program has the invoice ID ${invoiceId}`)
    await updateDispute(tx, { sale, ...dispute, disputedCents: null, at: clock() })
  })
