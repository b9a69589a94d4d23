import type { payoutDetailsRequest } from '@tributary/contract'
import type { z } from 'zod'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

const COLUMNS = ['method', 'account', 'holder', 'note', 'updatedAt'] as const

export type PartnerKey = { programId: number; partnerId: number }

export const findPayoutDetails = async (db: Database | Tx, { programId, partnerId }: PartnerKey) =>
  (await db
    .selectFrom('partnerPayoutDetails')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .executeTakeFirst()) ?? null

export const setPayoutDetails = (
  tx: Tx,
  { programId, partnerId, at, ...details }: PartnerKey & z.infer<typeof payoutDetailsRequest> & { at: Date },
) =>
  tx
    .insertInto('partnerPayoutDetails')
    .values({ programId, partnerId, ...details, updatedAt: at })
    .onConflict((conflict) => conflict.columns(['programId', 'partnerId']).doUpdateSet({ ...details, updatedAt: at }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
