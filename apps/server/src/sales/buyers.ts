import type { Tx } from '../database/transaction.ts'

type OfClick = { programId: number; clickId: string }
type OfKey = { programId: number; customerKey: string }

/** Who bought by a click without a sign-up. Whoever has signed up by another click is that click's customer. */
export const keysOfClick = async (tx: Tx, { programId, clickId }: OfClick) => {
  const rows = await tx
    .selectFrom('sales')
    .leftJoin('customerKeys as known', (join) =>
      join.onRef('known.programId', '=', 'sales.programId').onRef('known.customerKey', '=', 'sales.customerKey'),
    )
    .select('sales.customerKey')
    .distinct()
    .where('sales.programId', '=', programId)
    .where('sales.clickId', '=', clickId)
    .where((e) => e.or([e('known.clickId', 'is', null), e('known.clickId', '=', clickId)]))
    .orderBy('sales.customerKey')
    .execute()
  return rows.flatMap((row) => row.customerKey ?? [])
}

/** The clicks that sales of a customer were credited to, but for those by which somebody else has signed up. */
export const clicksOfKey = async (tx: Tx, { programId, customerKey }: OfKey) => {
  const rows = await tx
    .selectFrom('sales')
    .innerJoin('customers', (join) =>
      join.onRef('customers.programId', '=', 'sales.programId').onRef('customers.clickId', '=', 'sales.clickId'),
    )
    .select('sales.clickId')
    .distinct()
    .where('sales.programId', '=', programId)
    .where('sales.customerKey', '=', customerKey)
    .where((e) => e.or([e('customers.customerKey', 'is', null), e('customers.customerKey', '=', customerKey)]))
    .orderBy('sales.clickId')
    .execute()
  return rows.flatMap((row) => row.clickId ?? [])
}
