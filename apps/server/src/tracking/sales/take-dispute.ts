import type { Tx } from '../../database/transaction.ts'
import { findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { changeDisputed, closeDispute, openDispute } from '../../money/commissions/disputes.ts'
import { rebook } from '../../money/commissions/rebook.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { keepDisputeDecision } from './keep-money-decisions.ts'

type Status = 'open' | 'won' | 'lost'

type Taking = {
  disputeId: string
  status: Status
  sale: Pick<Sale, 'programId' | 'id'>
  /** In terms of the sale; null: all of it. */
  disputedCents?: number | null
  at: Date
  /** Where all that was said about the dispute is known: then lost outweighs won, whichever came first. */
  isFinal?: boolean
}

/** A disputed payment holds its commission; won, it is reinstated to the cent; lost, it is reversed. Repeats change nothing. The sale is locked. */
export const takeDispute = async (
  tx: Tx,
  { sale, disputeId, status, disputedCents = null, at, isFinal = false }: Taking,
) => {
  const { programId, id: saleId } = sale
  const key = { programId, saleId, disputeId }
  const follow = async (state: Status) => {
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
  if (commission) await rebook(tx, { programId, commissionId: commission.id, cause: { kind: 'dispute' }, at })
}
