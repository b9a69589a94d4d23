import type { AdjustmentRow, AdjustmentsQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { orderBy } from '../../database/sql/sorting.ts'
import { nameOf, usersById } from '../../database/sql/users-by-id.ts'
import type { Tx } from '../../database/transaction.ts'

type Row = Omit<AdjustmentRow, 'createdAt' | 'payableAt'> & { createdAt: Date; payableAt: Date | null }

/** With the IDs of members instead of their names. */
type StoredRow = Row & { reversedBy: string | null }

const COLUMNS = sql`
  adjustment.id, adjustment.type, adjustment.partner_id, partner.name AS partner_name, partner.archived AS partner_archived,
  adjustment.from_partner_id, former.name AS from_partner_name, adjustment.sale_id, sale.invoice_id,
  commission.id AS commission_id, commission.amount_cents, commission.currency, commission.payable_at,
  adjustment.reason, adjustment.note, adjustment.created_by, reversal.reversed_by, adjustment.created_at,
  CASE WHEN reversal.adjustment_id IS NOT NULL THEN jsonb_build_object('reason', reversal.reason, 'by', null, 'at',
    to_char(reversal.reversed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS reversed`

const JOINS = sql`
  JOIN partners partner ON partner.program_id = adjustment.program_id AND partner.id = adjustment.partner_id
  LEFT JOIN partners former ON former.program_id = adjustment.program_id AND former.id = adjustment.from_partner_id
  LEFT JOIN sales sale ON sale.program_id = adjustment.program_id AND sale.id = adjustment.sale_id
  LEFT JOIN commissions created ON created.program_id = adjustment.program_id AND created.adjustment_id = adjustment.id
  LEFT JOIN commissions commission ON commission.program_id = adjustment.program_id
    AND commission.id = coalesce(adjustment.commission_id, created.id)
  LEFT JOIN adjustment_reversals reversal ON reversal.program_id = adjustment.program_id AND reversal.adjustment_id = adjustment.id`

const withNames = async (db: Database | Tx, rows: StoredRow[]) => {
  const users = await usersById(
    db,
    rows.flatMap(({ createdBy, reversedBy }) => [createdBy, reversedBy]),
  )
  return rows.map(
    ({ createdBy, reversedBy, reversed, ...row }): Row => ({
      ...row,
      createdBy: nameOf(users, createdBy),
      reversed: reversed && { ...reversed, by: nameOf(users, reversedBy) },
    }),
  )
}

type Filter = { programId: number } & Omit<AdjustmentsQuery, 'page' | 'pageSize' | 'sort'>

const matching = ({ programId, type, partnerId, saleId, reversed }: Filter) => sql`
  SELECT * FROM adjustments WHERE program_id = ${programId}
    ${type ? sql`AND type = ANY (${type === 'added' ? ['bonus', 'commission'] : [type]})` : sql``}
    ${partnerId ? sql`AND ${partnerId} IN (partner_id, from_partner_id)` : sql``}
    ${saleId ? sql`AND sale_id = ${saleId}` : sql``}
    ${
      reversed
        ? sql`AND ${sql.raw(reversed === 'true' ? '' : 'NOT')} EXISTS (SELECT FROM adjustment_reversals reversal
          WHERE reversal.program_id = adjustments.program_id AND reversal.adjustment_id = adjustments.id)`
        : sql``
    }`

export const listAdjustments = async (
  db: Database,
  { page, pageSize, sort, ...filter }: { programId: number } & AdjustmentsQuery,
) => {
  // IDs are assigned in the order of insertion, which is the order in time.
  const order = orderBy(sort, { createdAt: 'id' }, 'id')
  const [list, count] = await Promise.all([
    sql<StoredRow>`SELECT ${COLUMNS} FROM (${matching(filter)} ${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) adjustment
      ${JOINS} ${orderBy(sort, { createdAt: 'adjustment.id' }, 'adjustment.id')}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM (${matching(filter)}) adjustment`.execute(db),
  ])
  return { rows: await withNames(db, list.rows), total: count.rows[0]?.total ?? 0 }
}

export const findAdjustmentRow = async (db: Database | Tx, { programId, id }: { programId: number; id: number }) => {
  const { rows } = await sql<StoredRow>`
    SELECT ${COLUMNS} FROM (SELECT * FROM adjustments WHERE program_id = ${programId} AND id = ${id}) adjustment ${JOINS}`.execute(
    db,
  )
  return (await withNames(db, rows))[0]
}
