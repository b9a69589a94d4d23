import type { partnerLegalDetailsRequest } from '@tributary/contract'
import type { z } from 'zod'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import type { PartnerKey } from './payout-details.ts'

const COLUMNS = ['name', 'company', 'address', 'taxId', 'updatedAt'] as const

export const findLegalDetails = async (db: Database | Tx, { programId, partnerId }: PartnerKey) =>
  (await db
    .selectFrom('partnerLegalDetails')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .executeTakeFirst()) ?? null

type Change = PartnerKey & z.infer<typeof partnerLegalDetailsRequest> & { at: Date }

/** The partner's details on the statements of later payouts. */
export const setLegalDetails = (tx: Tx, { programId, partnerId, at, ...details }: Change) =>
  tx
    .insertInto('partnerLegalDetails')
    .values({ programId, partnerId, ...details, updatedAt: at })
    .onConflict((conflict) => conflict.columns(['programId', 'partnerId']).doUpdateSet({ ...details, updatedAt: at }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
