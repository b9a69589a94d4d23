import type { PartnerStatus, PayoutLinesQuery, PayoutsQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { partnersWith } from '../../database/sql/search.ts'
import { orderBy, sortField } from '../../database/sql/sorting.ts'
import type { Tx } from '../../database/transaction.ts'
import { type PayoutLine, selectPayoutLines } from './find-payout-lines.ts'

type Summary = {
  id: number
  createdAt: Date
  note: string | null
  reference: string | null
  lineCount: number
  openCount: number
  amounts: { currency: string; amountCents: number }[]
}

/** Totals exclude failed lines, whose amounts returned to the partners' balances. */
export const listPayouts = async (
  db: Database,
  { programId, state, search, sort, page, pageSize }: { programId: number } & PayoutsQuery,
) => {
  const matching = sql`(
    SELECT payout.id, cutoff_at AS created_at, payout.note, payout.reference, count(line.id) AS line_count,
      count(line.id) FILTER (WHERE line.status = 'open') AS open_count
    FROM payouts payout LEFT JOIN payout_lines line ON line.program_id = payout.program_id AND line.payout_id = payout.id
    WHERE payout.program_id = ${programId} GROUP BY payout.id, cutoff_at, payout.note, payout.reference) payout
    WHERE true ${state ? sql`AND open_count ${sql.raw(state === 'open' ? '>' : '=')} 0` : sql``}
    ${search ? sql`AND payout.id IN ${payoutsWith(programId, search)}` : sql``}`
  const order = orderBy(sort, { createdAt: 'created_at', lineCount: 'line_count', amountCents: 'total_cents' }, 'id')
  const slice = sql`${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
  // Sorting by the total needs that of every payout.
  const isByTotal = sortField(sort) === 'amountCents'
  const [list, count] = await Promise.all([
    sql<Summary & { totalCents: number }>`SELECT payout.*, sum.amounts, sum.total_cents
      FROM (SELECT * FROM ${matching} ${isByTotal ? sql`` : slice}) payout
      CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', cents) ORDER BY currency), '[]') AS amounts,
          coalesce(sum(cents) FILTER (WHERE currency = (SELECT currency FROM programs WHERE id = ${programId})), 0) AS total_cents
        FROM (
          SELECT currency, sum(amount_cents)::bigint AS cents FROM (${selectPayoutLines({ programId, payoutId: sql`payout.id` })}) line
          WHERE status <> 'failed' GROUP BY currency) one) sum ${isByTotal ? slice : order}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${matching}`.execute(db),
  ])
  return { rows: list.rows.map(({ totalCents: _, ...row }): Summary => row), total: count.rows[0]?.total ?? 0 }
}

/** By number, by partner, or by the payment reference of a line. */
const payoutsWith = (programId: number, text: string) => sql`(
  SELECT ${/^\d{1,15}$/.test(text) ? Number(text) : 0}::bigint
  UNION SELECT payout_id FROM payout_lines WHERE program_id = ${programId}
    AND (reference = ${text} OR partner_id IN ${partnersWith(programId, text)}))`

/** Payouts with lines that are neither paid nor failed. */
export const countOpenPayouts = async (db: Database, programId: number) => {
  const { count } = await db
    .selectFrom('payoutLines')
    .select(({ fn }) => fn.count<number>('payoutId').distinct().as('count'))
    .where('programId', '=', programId)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow()
  return count
}

type Key = { programId: number; id: number }

export type Payout = NonNullable<Awaited<ReturnType<typeof findPayout>>>

/** Without its lines. */
export const findPayout = (db: Database | Tx, { programId, id }: Key) =>
  db
    .selectFrom('payouts')
    .select(['id', 'cutoffAt as createdAt', 'note', 'reference'])
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst()

export const listPayoutLines = async (
  db: Database,
  {
    programId,
    payoutId,
    status,
    search,
    sort,
    page,
    pageSize,
  }: { programId: number; payoutId: number } & PayoutLinesQuery,
) => {
  const matching = sql`(${selectPayoutLines({ programId, payoutId })}) line JOIN partners partner ON partner.program_id = ${programId} AND partner.id = line.partner_id
    WHERE true ${status ? sql`AND line.status = ${status}` : sql``} ${search ? sql`AND partner.id IN ${partnersWith(programId, search)}` : sql``}`
  const columns = {
    partnerName: 'lower(partner.name)',
    amountCents: 'line.amount_cents',
    decidedAt: "coalesce(line.decided_at, 'infinity')",
  }
  const order = orderBy(sort, columns, 'line.id')
  const [list, count] = await Promise.all([
    sql<PayoutLine & { partnerName: string; partnerStatus: PartnerStatus; partnerArchived: boolean }>`
      SELECT line.*, partner.name AS partner_name, partner.status AS partner_status,
        partner.archived AS partner_archived FROM ${matching}
      ${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${matching}`.execute(db),
  ])
  return { rows: list.rows.map(payoutLineAnswer), total: count.rows[0]?.total ?? 0 }
}

/** Drops the fields that are not in the API. */
export const payoutLineAnswer = <Line extends PayoutLine>(line: Line) => {
  const { payoutId, batchedCents, paidCents, returnedCents, ...answer } = line
  return answer
}
