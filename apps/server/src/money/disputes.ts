import type { Tx } from '../database/transaction.ts'

type Key = { programId: number; saleId: number; disputeId: string }

/** False where it was opened before. */
export const openDispute = async (tx: Tx, { openedAt, ...key }: Key & { openedAt: Date }) => {
  const opened = await tx
    .insertInto('disputes')
    .values({ ...key, openedAt, status: 'open' })
    .onConflict((conflict) => conflict.columns(['programId', 'saleId', 'disputeId']).doNothing())
    .executeTakeFirst()
  return (opened.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False where it was closed before: what was decided stays decided, unless the caller outweighs it. */
export const closeDispute = async (
  tx: Tx,
  {
    programId,
    saleId,
    disputeId,
    outweighed,
    ...closing
  }: Key & { status: 'won' | 'lost'; closedAt: Date; outweighed: ('open' | 'won')[] },
) => {
  const closed = await tx
    .updateTable('disputes')
    .set(closing)
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .where('disputeId', '=', disputeId)
    .where('status', 'in', outweighed)
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
