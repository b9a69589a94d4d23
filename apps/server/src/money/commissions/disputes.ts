import { sql } from 'kysely'
import { anyOfTexts } from '../../database/sql/any-of.ts'
import type { Tx } from '../../database/transaction.ts'

type Key = { programId: number; saleId: number; disputeId: string }
/** How much of the sale is disputed; null: all of it. */
type Part = { disputedCents: number | null }

/** False where it was opened before. */
export const openDispute = async (tx: Tx, { openedAt, disputedCents, ...key }: Key & Part & { openedAt: Date }) => {
  const opened = await tx
    .insertInto('disputes')
    .values({ ...key, openedAt, disputedCents, status: 'open' })
    .onConflict((conflict) => conflict.columns(['programId', 'saleId', 'disputeId']).doNothing())
    .executeTakeFirst()
  return (opened.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False where it was about as much before. */
export const changeDisputed = async (tx: Tx, { programId, saleId, disputeId, disputedCents }: Key & Part) => {
  const changed = await tx
    .updateTable('disputes')
    .set({ disputedCents })
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .where('disputeId', '=', disputeId)
    .where('disputedCents', 'is distinct from', disputedCents)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

type Closing = Key & { status: 'won' | 'lost'; closedAt: Date }

/** False where it was closed before. Lost outweighs won, whichever was reported first. */
export const closeDispute = async (tx: Tx, { programId, saleId, disputeId, ...closing }: Closing) => {
  const closed = await tx
    .updateTable('disputes')
    .set(closing)
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .where('disputeId', '=', disputeId)
    .where('status', '=', anyOfTexts(closing.status === 'lost' ? ['open', 'won'] : ['open']))
    .executeTakeFirst()
  return closed.numUpdatedRows > 0n
}

/** What all disputes of a sale come to: one that is lost decides, one that is open holds. */
export const disputesOf = async (tx: Tx, { programId, saleId }: { programId: number; saleId: number }) => {
  const rows = await tx
    .selectFrom('disputes')
    .select('status')
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .execute()
  const has = (status: string) => rows.some((row) => row.status === status)
  return has('lost') ? 'lost' : has('open') ? 'open' : 'none'
}

/** Of the sale that is called `sale`, never more than there is of it. */
export const disputedCents = (status: 'open' | 'lost') => sql<number>`least(sale.amount_cents,
  coalesce(sum(coalesce(dispute.disputed_cents, sale.amount_cents)) FILTER (WHERE dispute.status = ${status}), 0))::bigint`
