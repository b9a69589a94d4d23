import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

type NewRefund = {
  programId: number
  saleId: number
  refundId: string | null
  amountCents: number
  reason: string | null
  requestHash: Buffer
  refundedAt: Date
}

export const insertRefund = async (tx: Tx, refund: NewRefund) => {
  const { id } = await tx.insertInto('refunds').values(refund).returning('id').executeTakeFirstOrThrow()
  return id
}

export const findRefund = (db: Database | Tx, { programId, refundId }: { programId: number; refundId: string }) =>
  db
    .selectFrom('refunds')
    .select(['id', 'saleId', 'amountCents', 'requestHash'])
    .where('programId', '=', programId)
    .where('refundId', '=', refundId)
    .executeTakeFirst()

export const refundedCentsOf = async (
  db: Database | Tx,
  { programId, saleId }: { programId: number; saleId: number },
) => {
  const { total } = await db
    .selectFrom('refunds')
    .select((e) =>
      e.fn.coalesce(e.cast<number>(e.fn.sum('amountCents'), 'bigint'), e.cast<number>(e.lit(0), 'bigint')).as('total'),
    )
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .executeTakeFirstOrThrow()
  return total
}
