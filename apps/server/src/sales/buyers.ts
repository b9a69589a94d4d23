import type { Tx } from '../database/transaction.ts'

type ClickKey = { programId: number; clickId: string }
type CustomerKey = { programId: number; customerKey: string }

/** Customer keys of the sales credited to a click, except customers whose lead belongs to another click. */
export const findBuyerKeys = async (tx: Tx, { programId, clickId }: ClickKey) => {
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

/** Clicks that a customer's sales were credited to, except clicks with another customer's lead. */
export const findBuyerClicks = async (tx: Tx, { programId, customerKey }: CustomerKey) => {
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
