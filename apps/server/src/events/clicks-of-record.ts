import type { Tx } from '../database/transaction.ts'

const NEWEST = 50
const AFTER = 10

type Asked = { programId: number; clickId: string; at: Date; creditedClickAt?: Date }

/**
 * The clicks that a decision looks at. A visitor may have clicked a thousand times; those that can matter are the newest by
 * that time, the first, the one that has the credit, and, to say that they came too late, the first few after.
 */
export const clicksOfRecord = async (tx: Tx, { programId, clickId, at, creditedClickAt }: Asked) => {
  const clicks = tx
    .selectFrom('clickEvents')
    .select(['id', 'linkId', 'partnerId', 'clickedAt'])
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
  const parts = [
    clicks.where('clickedAt', '<=', at).orderBy('clickedAt', 'desc').orderBy('id', 'desc').limit(NEWEST),
    clicks.orderBy('clickedAt').orderBy('id').limit(1),
    clicks.where('clickedAt', '>', at).orderBy('clickedAt').orderBy('id').limit(AFTER),
    ...(creditedClickAt ? [clicks.where('clickedAt', '=', creditedClickAt).orderBy('id', 'desc').limit(AFTER)] : []),
  ]
  const [first, ...others] = parts.map((part) => tx.selectFrom(part.as('click')).selectAll())
  if (!first) return []
  const rows = await others.reduce((all, part) => all.union(part), first).execute()
  return rows.toSorted((a, b) => a.clickedAt.getTime() - b.clickedAt.getTime() || (a.id < b.id ? -1 : 1))
}
