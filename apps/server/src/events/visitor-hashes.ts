import type { Tx } from '../database/transaction.ts'

const DAY_MS = 86_400_000

type Asked = { programId: number; record: { clickId: string; lastClickedAt: Date } }

/** Who made the latest click of a record, as far as one day can tell people apart. */
export const visitorHashOf = async (tx: Tx, { programId, record: { clickId, lastClickedAt } }: Asked) => {
  // Clicks are kept by month, and the record knows in which to look. A day more, for two clocks may differ.
  const around = (ms: number) => new Date(lastClickedAt.getTime() + ms)
  const click = await tx
    .selectFrom('clickEvents')
    .select('visitorHash')
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .where('clickedAt', '>=', around(-DAY_MS))
    .where('clickedAt', '<=', around(DAY_MS))
    .where('device', 'is distinct from', 'bot')
    .orderBy('clickedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return click?.visitorHash ?? null
}
