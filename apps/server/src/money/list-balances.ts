import type { BalancesQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { containing, orderBy } from '../database/sorting.ts'
import { type Balance, balancesOf } from './ledger.ts'

const ORDERS = {
  partnerName: 'lower(partner.name)',
  payableCents: 'payable_cents',
  heldCents: 'held_cents',
  batchedCents: 'batched_cents',
  paidCents: 'paid_cents',
}

/** One page of the balances of a program, with the names of those whose they are. */
export const listBalances = async (
  db: Database,
  { programId, at, search, currency, sort, page, pageSize }: { programId: number; at: Date } & BalancesQuery,
) => {
  const matching = sql`(${balancesOf({ programId, at })}) balance
    JOIN partners partner ON partner.program_id = ${programId} AND partner.id = balance.partner_id
    WHERE true ${search ? sql`AND partner.name ILIKE ${containing(search)}` : sql``}
    ${currency ? sql`AND balance.currency = ${currency}` : sql``}`
  // One partner may have a balance in several currencies.
  const order = orderBy(sort, ORDERS, 'balance.partner_id')
  const [list, count] = await Promise.all([
    sql<Balance & { partnerName: string }>`SELECT balance.*, partner.name AS partner_name FROM ${matching}
      ${order}, balance.currency LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${matching}`.execute(db),
  ])
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 }
}
