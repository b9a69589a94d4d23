import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import type { PartnerKey } from './payout-details.ts'

type PartnerUser = PartnerKey & { userId: string; createdAt: Date }

/** Makes somebody a partner of a program who is none of it yet: of several calls at once a constraint lets one through. */
export const addPartnerUser = async (tx: Tx, row: PartnerUser) => {
  const added = await tx
    .insertInto('partnerUsers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['programId', 'userId']).doNothing())
    .returning('partnerId')
    .executeTakeFirst()
  if (!added) throw new Refusal('conflict', 'You are a partner of this program already, or have applied.')
}

/**
 * Makes somebody the partner that the merchant has invited. Twice is once. Who is another partner of the program and has no
 * link as that one, so can have earned nothing, becomes this one instead: as a rule it is an application of theirs.
 */
export const becomePartner = async (tx: Tx, row: PartnerUser) => {
  const isFree = sql<boolean>`partner_users.partner_id = excluded.partner_id OR NOT EXISTS (
    SELECT FROM referral_links AS link
    WHERE link.program_id = partner_users.program_id AND link.partner_id = partner_users.partner_id)`
  const added = await tx
    .insertInto('partnerUsers')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['programId', 'userId'])
        .doUpdateSet((e) => ({ partnerId: e.ref('excluded.partnerId') }))
        .where(isFree),
    )
    .returning('partnerId')
    .executeTakeFirst()
  if (!added)
    throw new Refusal(
      'conflict',
      'You are another partner of this program already, with links. Ask who invited you to go on with that one.',
    )
}

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

/** Whom somebody is in a program. */
export const partnerOfUser = (db: Database, { userId, programId }: { userId: string; programId: number }) =>
  ofUser(db, userId).where('partners.programId', '=', programId).executeTakeFirst()
