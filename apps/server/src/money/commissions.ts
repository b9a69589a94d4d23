import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

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

type NewCommission = {
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

export const insertCommission = async (tx: Tx, commission: NewCommission) => {
  const { id } = await tx.insertInto('commissions').values(commission).returning('id').executeTakeFirstOrThrow()
  return id
}

export const findCommissionOfSale = (db: Database | Tx, { programId, saleId }: { programId: number; saleId: number }) =>
  db
    .selectFrom('commissions')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
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

/** Whether a payout that did not fail has it: then its date is no longer to be touched. */
export const isInPayout = async (tx: Tx, { programId, commissionId }: { programId: number; commissionId: number }) =>
  Boolean(
    await tx
      .selectFrom('payoutCommissions as listed')
      .innerJoin('payoutLines as line', (join) =>
        join.onRef('line.programId', '=', 'listed.programId').onRef('line.id', '=', 'listed.payoutLineId'),
      )
      .select('line.id')
      .where('listed.programId', '=', programId)
      .where('listed.commissionId', '=', commissionId)
      .where('line.status', '<>', 'failed')
      .limit(1)
      .executeTakeFirst(),
  )
