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
