import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { anyOf, columnsOf } from '../../database/sql/columns.ts'
import { putFound } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { changing } from '../../outbox/publish-changes.ts'

const COLUMNS = [
  'id',
  'kind',
  'partnerId',
  'saleId',
  'leadId',
  'adjustmentId',
  'amountCents',
  'currency',
  'termsVersion',
  'earnedAt',
  'payableAt',
] as const

export type Commission = NonNullable<Awaited<ReturnType<typeof findCommissionOfSale>>>

export type NewCommission = {
  programId: number
  kind: 'lead' | 'sale' | 'bonus' | 'manual' | 'credited'
  leadId: number | null
  saleId: number | null
  adjustmentId: number | null
  partnerId: number
  amountCents: number
  currency: string
  termsVersion: number | null
  earnedAt: Date
  payableAt: Date
}

/** SQL fragment: inserts the commissions of the CTE `new_commission` and returns the rows with their ids. */
export const insertCommissions = sql`
  INSERT INTO commissions (program_id, partner_id, kind, lead_id, sale_id, adjustment_id, amount_cents, currency, terms_version,
    earned_at, payable_at)
  SELECT program_id, partner_id, kind, lead_id, sale_id, adjustment_id, amount_cents, currency, terms_version, earned_at, payable_at
  FROM new_commission
  RETURNING *`

export const findCommissionOfSale = (db: Database | Tx, { programId, saleId }: { programId: number; saleId: number }) =>
  db
    .selectFrom('commissions')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .executeTakeFirst()

/** The commissions of many sales, by sale id. */
export const findCommissionsOfSales = async (
  db: Database | Tx,
  { programId, saleIds }: { programId: number; saleIds: number[] },
) => {
  const rows = await db
    .selectFrom('commissions')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('saleId', '=', anyOf(saleIds))
    .execute()
  return new Map(rows.map((row) => [row.saleId, row]))
}

export const findCommissionOfLead = (db: Database | Tx, { programId, leadId }: { programId: number; leadId: number }) =>
  db
    .selectFrom('commissions')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('leadId', '=', leadId)
    .executeTakeFirst()

export const findCommissionOfAdjustment = (tx: Tx, key: { programId: number; adjustmentId: number }) =>
  tx
    .selectFrom('commissions')
    .select(COLUMNS)
    .where('programId', '=', key.programId)
    .where('adjustmentId', '=', key.adjustmentId)
    .executeTakeFirst()

export const findCommission = (db: Database | Tx, { programId, id }: { programId: number; id: number }) =>
  db
    .selectFrom('commissions')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst()

type Correction = Partial<Pick<Commission, 'amountCents' | 'termsVersion' | 'earnedAt' | 'payableAt'>>

/** Overwrites the row; the ledger keeps the history. */
export const correctCommissionRow = async (
  tx: Tx,
  { programId, id, at, ...values }: { programId: number; id: number; at: Date } & Correction,
) => {
  const writer = await changing(tx, 'commission', { programId, ids: [id], at })
  await writer.updateTable('commissions').set(values).where('programId', '=', programId).where('id', '=', id).execute()
}

type Dated = { programId: number; ids: number[]; payableAt: Date; at: Date }

/** Changes the date of many commissions. The caller books it in the ledger. */
export const setPayableAt = async (tx: Tx, { programId, ids, payableAt, at }: Dated) => {
  const writer = await changing(tx, 'commission', { programId, ids, at })
  await writer
    .updateTable('commissions')
    .set({ payableAt })
    .where('programId', '=', programId)
    .where('id', '=', anyOf(ids))
    .execute()
}

export type BookedCommission = {
  /** Null if the sale has no commission of its own. */
  currency: string | null
  /** Listed in a payout that has not failed, or partly moved by one: its date can no longer change. Includes manual credits. */
  hasBeenInPayout: boolean
}

type SaleKey = { programId: number; id: number }

export const inPayout = (commission: string) => sql`(EXISTS (
    SELECT FROM payout_commissions listed
    JOIN payout_lines line ON line.program_id = listed.program_id AND line.id = listed.payout_line_id
    WHERE listed.program_id = ${sql.ref(`${commission}.program_id`)} AND listed.commission_id = ${sql.ref(`${commission}.id`)}
      AND line.status <> 'failed')
  OR EXISTS (
    SELECT FROM ledger_lines moved
    WHERE moved.program_id = ${sql.ref(`${commission}.program_id`)} AND moved.commission_id = ${sql.ref(`${commission}.id`)}
      AND 'batched' IN (moved.from_account, moved.to_account)))`

/** Fills in the commission of each sale. */
export const findBookedCommissions = async (tx: Tx, sales: (SaleKey & { booked?: BookedCommission | undefined })[]) => {
  if (sales.length === 0) return
  const column = columnsOf(sales)
  const { rows } = await sql<BookedCommission & { position: number }>`
    SELECT position, commission.currency, ${inPayout('commission')} OR EXISTS (
        SELECT FROM adjustments assigned
        JOIN commissions credited ON credited.program_id = assigned.program_id AND credited.adjustment_id = assigned.id
        WHERE assigned.program_id = sale.program_id AND assigned.sale_id = sale.id AND assigned.type IN ('credit', 'move')
          AND ${inPayout('credited')}) AS has_been_in_payout
    FROM unnest(${column('programId', 'integer')}, ${column('id', 'bigint')}) WITH ORDINALITY AS sale(program_id, id, position)
    LEFT JOIN commissions commission ON commission.program_id = sale.program_id AND commission.sale_id = sale.id`.execute(
    tx,
  )
  putFound(sales, 'booked', rows)
}
