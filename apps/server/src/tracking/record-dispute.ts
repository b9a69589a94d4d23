import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction } from '../database/transaction.ts'
import { findCommissionOfSale } from '../money/commissions.ts'
import { closeDispute, hasOpenDispute, openDispute } from '../money/disputes.ts'
import { giveBack, takeBack } from '../money/take-back.ts'
import { Refusal } from '../refusal.ts'
import { lockSaleByInvoice } from '../sales/sales.ts'
import { keepDisputeDecision } from './keep-money-decisions.ts'

type DisputeCall = { programId: number; invoiceId: string; disputeId: string; status: 'open' | 'won' | 'lost' }

/** A disputed payment holds its commission; won, it is reinstated to the cent; lost, it is reversed. Repeats change nothing. */
export const recordDispute = ({ db, clock }: { db: Database; clock: Clock }, call: DisputeCall) =>
  inTransaction(db, async (tx) => {
    const { programId, invoiceId, disputeId, status } = call
    const at = clock()
    const sale = await lockSaleByInvoice(tx, { programId, invoiceId })
    if (!sale)
      throw new Refusal('sale_not_found', 'No sale of this program has this invoice_id.', { field: 'invoice_id' })
    const key = { programId, saleId: sale.id, disputeId }
    const commission = await findCommissionOfSale(tx, { programId, saleId: sale.id })
    const opened = await openDispute(tx, { ...key, openedAt: at })
    const all = commission?.amountCents ?? 0
    if (opened && commission)
      await takeBack(tx, {
        programId,
        commission,
        toAccount: 'disputed',
        amountCents: all,
        cause: 'dispute opened',
        at,
      })
    const hasCommission = commission !== undefined
    if (opened) await keepDisputeDecision(tx, { ...key, status: 'open', hasCommission, at })
    if (status === 'open' || !(await closeDispute(tx, { ...key, status, closedAt: at }))) return
    await keepDisputeDecision(tx, { ...key, status, hasCommission, at })
    if (!commission) return
    if (status === 'won' && !(await hasOpenDispute(tx, key)))
      await giveBack(tx, { programId, commission, cause: 'dispute won', at })
    if (status === 'lost')
      await takeBack(tx, { programId, commission, toAccount: 'program', amountCents: all, cause: 'dispute lost', at })
  })
