import { anyOfTexts } from '../../database/sql/columns.ts'
import type { Tx, Writer } from '../../database/transaction.ts'
import { changing } from '../../outbox/publish-changes.ts'

type Key = { programId: number; saleId: number; disputeId: string }
/** Null when the whole sale is disputed. */
type DisputedPart = { disputedCents: number | null }

const changingSale = (tx: Tx, { programId, saleId }: Key, at: Date): Promise<Writer> =>
  changing(tx, 'sale', { programId, ids: [saleId], at })

/** False if it is already open. */
export const openDispute = async (
  tx: Tx,
  { openedAt, disputedCents, ...key }: Key & DisputedPart & { openedAt: Date },
) => {
  const writer = await changingSale(tx, key, openedAt)
  const opened = await writer
    .insertInto('disputes')
    .values({ ...key, openedAt, disputedCents, status: 'open' })
    .onConflict((conflict) => conflict.columns(['programId', 'saleId', 'disputeId']).doNothing())
    .executeTakeFirst()
  return (opened.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False if the amount is unchanged. */
export const updateDisputedCents = async (tx: Tx, { disputedCents, at, ...key }: Key & DisputedPart & { at: Date }) => {
  const writer = await changingSale(tx, key, at)
  const changed = await writer
    .updateTable('disputes')
    .set({ disputedCents })
    .where('programId', '=', key.programId)
    .where('saleId', '=', key.saleId)
    .where('disputeId', '=', key.disputeId)
    .where('disputedCents', 'is distinct from', disputedCents)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

type Outcome = Key & { status: 'won' | 'lost'; closedAt: Date }

/** False if already closed. `lost` overrides `won`, in whichever order they are reported. */
export const closeDispute = async (tx: Tx, { status, closedAt, ...key }: Outcome) => {
  const writer = await changingSale(tx, key, closedAt)
  const closed = await writer
    .updateTable('disputes')
    .set({ status, closedAt })
    .where('programId', '=', key.programId)
    .where('saleId', '=', key.saleId)
    .where('disputeId', '=', key.disputeId)
    .where('status', '=', anyOfTexts(status === 'lost' ? ['open', 'won'] : ['open']))
    .executeTakeFirst()
  return closed.numUpdatedRows > 0n
}

/** `lost` if any dispute of the sale is lost, else `open` if any is open. */
export const findDisputeStatus = async (tx: Tx, { programId, saleId }: { programId: number; saleId: number }) => {
  const rows = await tx
    .selectFrom('disputes')
    .select('status')
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .execute()
  const has = (status: string) => rows.some((row) => row.status === status)
  return has('lost') ? 'lost' : has('open') ? 'open' : 'none'
}
