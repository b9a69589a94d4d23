import type { BalancesQuery, PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { containing, orderBy } from '../../database/sql/sorting.ts'
import { inLongTransaction } from '../../database/transaction.ts'
import { type Balance, selectBalances } from './ledger.ts'

const ORDERS = {
  partnerName: 'lower(partner.name)',
  payableCents: 'payable_cents',
  heldCents: 'held_cents',
  batchedCents: 'batched_cents',
  paidCents: 'paid_cents',
}

export const listBalances = async (
  db: Database,
  { programId, at, search, currency, sort, page, pageSize }: { programId: number; at: Date } & BalancesQuery,
) => {
  const matching = (table: string) => sql`
    JOIN partners partner ON partner.program_id = ${programId} AND partner.id = ${sql.ref(`${table}.partnerId`)}
    WHERE true ${search ? sql`AND partner.name ILIKE ${containing(search)}` : sql``}
    ${currency ? sql`AND ${sql.ref(`${table}.currency`)} = ${currency}` : sql``}`
  // A partner can have a balance in several currencies, so the currency breaks ties below.
  const order = orderBy(sort, ORDERS, 'balance.partner_id')
  const [list, count] = await Promise.all([
    inLongTransaction(db, (tx) =>
      sql<Balance & { partnerName: string; partnerStatus: PartnerStatus; partnerArchived: boolean }>`
        SELECT balance.*, partner.name AS partner_name, partner.status AS partner_status,
          partner.archived AS partner_archived
        FROM (${selectBalances({ programId, at })}) balance ${matching('balance')}
        ${order}, balance.currency LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(tx),
    ),
    // Partners have an account for each currency they have earned in, so counting needs no sums.
    sql<{ total: number }>`SELECT count(*) AS total FROM (
      SELECT * FROM partner_accounts WHERE program_id = ${programId}) account ${matching('account')}`.execute(db),
  ])
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 }
}
