import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { anyOf } from '../../database/sql/any-of.ts'
import type { Tx } from '../../database/transaction.ts'

const COLUMNS = [
  'id',
  'kind',
  'partnerId',
  'saleId',
  'leadId',
  'amountCents',
  'currency',
  'termsVersion',
  'earnedAt',
  'payableAt',
] as const

export type Commission = NonNullable<Awaited<ReturnType<typeof findCommissionOfSale>>>

export type NewCommission = {
  programId: number
  kind: 'lead' | 'sale'
  leadId: number | null
  saleId: number | null
  partnerId: number
  amountCents: number
  currency: string
  termsVersion: number
  earnedAt: Date
  payableAt: Date
}

/** Part of a statement that has new commissions under the name `promised`: the rows, with their numbers. */
export const insertCommissions = sql`
  INSERT INTO commissions (program_id, partner_id, kind, lead_id, sale_id, amount_cents, currency, terms_version, earned_at,
    payable_at)
  SELECT program_id, partner_id, kind, lead_id, sale_id, amount_cents, currency, terms_version, earned_at, payable_at FROM promised
  RETURNING *`

export const findCommissionOfSale = (db: Database | Tx, { programId, saleId }: { programId: number; saleId: number }) =>
  db
    .selectFrom('commissions')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .executeTakeFirst()

/** The commissions of many sales, by the number of the sale. */
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

export const findCommission = (db: Database | Tx, { programId, id }: { programId: number; id: number }) =>
  db
    .selectFrom('commissions')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst()

type Correction = Pick<Commission, 'amountCents' | 'termsVersion' | 'earnedAt' | 'payableAt'>

/** What holds now. How it came to that is in the ledger. */
export const correctCommissionRow = (
  tx: Tx,
  { programId, id, ...values }: { programId: number; id: number } & Correction,
) => tx.updateTable('commissions').set(values).where('programId', '=', programId).where('id', '=', id).execute()

/**
 * Whether a payout has it that did not fail, or one has moved a part of it: then its date is no longer to be touched, for what
 * left the balance with a payout has left it for any date.
 */
export const hasMetPayout = async (
  tx: Tx,
  { programId, commissionId }: { programId: number; commissionId: number },
) => {
  const { rows } = await sql<{ met: boolean }>`
    SELECT EXISTS (
      SELECT FROM payout_commissions listed
      JOIN payout_lines line ON line.program_id = listed.program_id AND line.id = listed.payout_line_id
      WHERE listed.program_id = ${programId} AND listed.commission_id = ${commissionId} AND line.status <> 'failed')
    OR EXISTS (
      SELECT FROM ledger_lines
      WHERE program_id = ${programId} AND commission_id = ${commissionId} AND 'batched' IN (from_account, to_account)) AS met`.execute(
    tx,
  )
  return rows[0]?.met ?? false
}
