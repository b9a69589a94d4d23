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

/** False where it was closed before: what was decided stays decided. */
export const closeDispute = async (
  tx: Tx,
  { programId, saleId, disputeId, ...closing }: Key & { status: 'won' | 'lost'; closedAt: Date },
) => {
  const closed = await tx
    .updateTable('disputes')
    .set(closing)
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .where('disputeId', '=', disputeId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return closed.numUpdatedRows > 0n
}

export const hasOpenDispute = async (tx: Tx, { programId, saleId }: { programId: number; saleId: number }) =>
  Boolean(
    await tx
      .selectFrom('disputes')
      .select('disputeId')
      .where('programId', '=', programId)
      .where('saleId', '=', saleId)
      .where('status', '=', 'open')
      .executeTakeFirst(),
  )
