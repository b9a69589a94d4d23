import type { Tx } from '../database/transaction.ts'

/** Who made the latest click of a record, as far as one day can tell people apart. */
export const visitorHashOf = async (tx: Tx, { programId, clickId }: { programId: number; clickId: string }) => {
  const click = await tx
    .selectFrom('clickEvents')
    .select('visitorHash')
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .where('device', 'is distinct from', 'bot')
    .orderBy('clickedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return click?.visitorHash ?? null
}
