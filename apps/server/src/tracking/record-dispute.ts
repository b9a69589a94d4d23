import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { findCommissionOfSale } from '../money/commissions.ts'
import { changeDisputed, closeDispute, openDispute } from '../money/disputes.ts'
import { holdDisputed } from '../money/hold-disputed.ts'
import { Refusal } from '../refusal.ts'
import { lockSaleByInvoice, type Sale } from '../sales/find-sales.ts'
import { keepDisputeDecision } from './keep-money-decisions.ts'

type DisputeCall = { programId: number; invoiceId: string; disputeId: string; status: 'open' | 'won' | 'lost' }

/** A disputed payment holds its commission; won, it is reinstated to the cent; lost, it is reversed. Repeats change nothing. */
export const recordDispute = ({ db, clock }: { db: Database; clock: Clock }, call: DisputeCall) =>
  inTransaction(db, async (tx) => {
    const { programId, invoiceId, ...dispute } = call
    const sale = await lockSaleByInvoice(tx, { programId, invoiceId })
    if (!sale)
      throw new Refusal('sale_not_found', 'No sale of this program has this invoice_id.', { field: 'invoice_id' })
    await takeDispute(tx, { sale, ...dispute, at: clock() })
  })

type Taking = Pick<DisputeCall, 'disputeId' | 'status'> & {
  sale: Pick<Sale, 'programId' | 'id'>
  /** In terms of the sale; null: all of it. */
  disputedCents?: number | null
  at: Date
  /** Where all that was said about the dispute is known: then lost outweighs won, whichever came first. */
  isFinal?: boolean
}

/** The story itself, of a sale that is locked. */
export const takeDispute = async (
  tx: Tx,
  { sale, disputeId, status, disputedCents = null, at, isFinal = false }: Taking,
) => {
  const { programId, id: saleId } = sale
  const key = { programId, saleId, disputeId }
  const follow = async (state: DisputeCall['status']) => {
    await followDisputes(tx, { programId, saleId, at })
    const hasCommission = Boolean(await findCommissionOfSale(tx, { programId, saleId }))
    await keepDisputeDecision(tx, { ...key, status: state, hasCommission, at })
  }
  const opened = await openDispute(tx, { ...key, disputedCents, openedAt: at })
  // The closing may be told first, or alone: the commission is held all the same, so that the ledger tells the story.
  if (opened) await follow('open')
  else if (isFinal && (await changeDisputed(tx, { ...key, disputedCents })))
    await followDisputes(tx, { programId, saleId, at })
  if (status === 'open') return
  const outweighed: ('open' | 'won')[] = isFinal && status === 'lost' ? ['open', 'won'] : ['open']
  if (await closeDispute(tx, { ...key, status, closedAt: at, outweighed })) await follow(status)
}

/** Brings the commission of a sale to where its disputes leave it. Called by a dispute, and by a late credit. */
export const followDisputes = async (
  tx: Tx,
  { programId, saleId, at }: { programId: number; saleId: number; at: Date },
) => {
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  if (!commission) return
  const causes = { lost: 'dispute lost', held: 'dispute opened', freed: 'dispute won' }
  await holdDisputed(tx, { programId, commission, at, causes })
}
