import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import type { PartnerKey } from './payout-details.ts'

/** Makes somebody with an account this partner. Twice is once. */
export const addPartnerUser = (tx: Database | Tx, row: PartnerKey & { userId: string; createdAt: Date }) =>
  tx
    .insertInto('partnerUsers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const hasPartnerUser = async (db: Database, { programId, partnerId }: PartnerKey) =>
  Boolean(
    await db
      .selectFrom('partnerUsers')
      .select('userId')
      .where('programId', '=', programId)
      .where('partnerId', '=', partnerId)
      .limit(1)
      .executeTakeFirst(),
  )

const ofUser = (db: Database, userId: string) =>
  db
    .selectFrom('partnerUsers')
    .innerJoin('partners', (join) =>
      join
        .onRef('partners.programId', '=', 'partnerUsers.programId')
        .onRef('partners.id', '=', 'partnerUsers.partnerId'),
    )
    .where('partnerUsers.userId', '=', userId)
    .select([
      'partners.programId',
      'partners.id as partnerId',
      'partners.name',
      'partners.email',
      'partners.code',
      'partners.status',
      'partners.createdAt',
    ])

/** Everywhere somebody is a partner. */
export const partnersOfUser = (db: Database, userId: string) =>
  ofUser(db, userId).orderBy('partners.programId').orderBy('partners.id').execute()

/** Whom somebody is in a program. Were they ever two partners of one, the older one answers. */
export const partnerOfUser = (db: Database, { userId, programId }: { userId: string; programId: number }) =>
  ofUser(db, userId).where('partners.programId', '=', programId).orderBy('partners.id').limit(1).executeTakeFirst()
