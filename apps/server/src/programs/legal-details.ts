import type { merchantDetailsRequest } from '@tributary/contract'
import type { z } from 'zod'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

const COLUMNS = ['legalName', 'address', 'taxId', 'email', 'selfBilling', 'updatedAt'] as const

export const findMerchantDetails = async (db: Database | Tx, programId: number) =>
  (await db.selectFrom('programLegalDetails').select(COLUMNS).where('programId', '=', programId).executeTakeFirst()) ??
  null

type Change = z.infer<typeof merchantDetailsRequest> & { programId: number; at: Date }

/** The merchant's details on the statements of later payouts. */
export const setMerchantDetails = (tx: Tx, { programId, at, ...details }: Change) =>
  tx
    .insertInto('programLegalDetails')
    .values({ programId, ...details, updatedAt: at })
    .onConflict((conflict) => conflict.column('programId').doUpdateSet({ ...details, updatedAt: at }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
