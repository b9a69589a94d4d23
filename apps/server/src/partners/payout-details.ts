import type { payoutDetailsRequest } from '@tributary/contract'
import type { z } from 'zod'
import { anyOf } from '../database/any-of.ts'
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

/** Of several partners, by their number. Who has given none is not in it. */
export const payoutDetailsOf = async (db: Database, { programId, ids }: { programId: number; ids: number[] }) => {
  const rows = ids.length
    ? await db
        .selectFrom('partnerPayoutDetails')
        .select(['partnerId', ...COLUMNS])
        .where('programId', '=', programId)
        .where('partnerId', '=', anyOf(ids))
        .execute()
    : []
  return new Map(rows.map(({ partnerId, ...details }) => [partnerId, details]))
}

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
