import type { BalancesQuery, PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { partnersWith } from '../../database/sql/search.ts'
import { orderBy } from '../../database/sql/sorting.ts'
import { inLongTransaction } from '../../database/transaction.ts'
import { type Balance, selectBalances } from './ledger.ts'
import { withNextPayable } from './next-payable.ts'

const ORDERS = {
  partnerName: 'lower(partner.name)',
  payableCents: 'payable_cents',
  heldCents: 'held_cents',
  batchedCents: 'batched_cents',
  paidCents: 'paid_cents',
  reviewCents: 'review_cents',
  disputedCents: 'disputed_cents',
}

type Found = Balance & { partnerName: string; partnerStatus: PartnerStatus; partnerArchived: boolean }

const NOT_ZERO = sql`(held_cents, payable_cents, batched_cents, paid_cents, review_cents, disputed_cents) <> (0, 0, 0, 0, 0, 0)`

export const listBalances = async (
  db: Database,
  { programId, at, search, currency, zero, sort, page, pageSize }: { programId: number; at: Date } & BalancesQuery,
) => {
  const matching = (table: string) => sql`
    JOIN partners partner ON partner.program_id = ${programId} AND partner.id = ${sql.ref(`${table}.partnerId`)}
    WHERE true ${search ? sql`AND partner.id IN ${partnersWith(programId, search)}` : sql``}
    ${currency ? sql`AND ${sql.ref(`${table}.currency`)} = ${currency}` : sql``}`
  const isCounted = zero === 'true' ? sql`` : sql`AND ${NOT_ZERO}`
  const found = sql`FROM (${selectBalances({ programId, at })}) balance ${matching('balance')} ${isCounted}`
  // A partner can have a balance in several currencies, so the currency breaks ties below.
  const order = orderBy(sort, ORDERS, 'balance.partner_id')
  // Partners have an account for each currency they have earned in, so counting all of them needs no sums.
  const counted =
    zero === 'true'
      ? sql`FROM (SELECT * FROM partner_accounts WHERE program_id = ${programId}) account ${matching('account')}`
      : found
  const { rows, total } = await inLongTransaction(db, async (tx) => {
    const { rows } = await sql<Found>`
      SELECT balance.*, partner.name AS partner_name, partner.status AS partner_status, partner.archived AS partner_archived
      ${found} ${order}, balance.currency LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(tx)
    const isWhole = page === 1 && rows.length < pageSize
    const count = isWhole ? null : await sql<{ total: number }>`SELECT count(*) AS total ${counted}`.execute(tx)
    return { rows, total: count?.rows[0]?.total ?? rows.length }
  })
  return { rows: await withNextPayable(db, { programId, at }, rows), total }
}
