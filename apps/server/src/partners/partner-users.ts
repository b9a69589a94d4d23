import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/columns.ts'
import { usersById } from '../database/sql/users-by-id.ts'
import type { Tx } from '../database/transaction.ts'
import type { SignedInPartner } from '../platform/actor.ts'
import { Refusal } from '../refusal.ts'
import type { PartnerKey } from './payout-details.ts'

type PartnerUser = PartnerKey & { userId: string; createdAt: Date }

/** Adds a user who is not yet a partner of the program. Of concurrent calls, a constraint admits one. */
export const addPartnerUser = async (tx: Tx, row: PartnerUser) => {
  const added = await tx
    .insertInto('partnerUsers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['programId', 'userId']).doNothing())
    .returning('partnerId')
    .executeTakeFirst()
  if (!added) throw alreadyPartner()
}

/** The programs in which this user is a partner. */
export const partnershipsOf = (db: Database | Tx, userId: string) =>
  db.selectFrom('partnerUsers').select(['programId', 'partnerId']).where('userId', '=', userId).execute()

export const alreadyPartner = () =>
  new Refusal('conflict', 'You are already a partner of this program, or have already applied.')

export const isPartnerUser = async (db: Database | Tx, { programId, userId }: { programId: number; userId: string }) =>
  Boolean(
    await db
      .selectFrom('partnerUsers')
      .select('partnerId')
      .where('programId', '=', programId)
      .where('userId', '=', userId)
      .executeTakeFirst(),
  )

/**
 * Whether the partner in `partner_users` has a link that counts. Everyone gets a link with their code, so it counts only with clicks,
 * and only once the merchant has approved them: an applicant's code is public.
 */
const hasOwnLink = sql<boolean>`EXISTS (
  SELECT FROM referral_links link
  JOIN partners holder ON (holder.program_id, holder.id) = (link.program_id, link.partner_id)
  WHERE link.program_id = partner_users.program_id AND link.partner_id = partner_users.partner_id AND (
    holder.status NOT IN ('pending', 'rejected') AND EXISTS (
      SELECT FROM daily_counts WHERE daily_counts.program_id = link.program_id AND daily_counts.link_id = link.id)
    OR link.aff <> holder.code AND NOT EXISTS (
      SELECT FROM partner_former_codes former
      WHERE former.program_id = link.program_id AND former.partner_id = link.partner_id AND former.code = link.aff)))`

const hasPayoutDetails = sql<boolean>`EXISTS (
  SELECT FROM partner_payout_details details
  WHERE details.program_id = partner_users.program_id AND details.partner_id = partner_users.partner_id)`

const hasCommission = sql<boolean>`EXISTS (
  SELECT FROM commissions
  WHERE commissions.program_id = partner_users.program_id AND commissions.partner_id = partner_users.partner_id)`

/**
 * Makes the user the invited partner; repeating it has no effect. A user who is already another partner of the program, but
 * without links or money, becomes this one instead: usually that was their application.
 */
export const becomePartner = async (tx: Tx, row: PartnerUser) => {
  const isFree = sql<boolean>`partner_users.partner_id = excluded.partner_id
    OR NOT (${hasOwnLink} OR ${hasPayoutDetails} OR ${hasCommission})`
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
      'You are already another partner of this program, with links, earnings or payout details. Ask the person who invited you to use that one.',
    )
}

/** The users who can sign in as the partner. */
export const listSignIns = async (db: Database | Tx, { programId, partnerId }: PartnerKey) => {
  const rows = await db
    .selectFrom('partnerUsers')
    .select('userId')
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .orderBy('createdAt')
    .orderBy('userId')
    .execute()
  const users = await usersById(
    db,
    rows.map(({ userId }) => userId),
  )
  return rows.flatMap(({ userId }) => {
    const user = users.get(userId)
    return user ? [{ userId, email: user.email }] : []
  })
}

/** Removes all sign-ins and returns their addresses. */
export const removeSignIns = async (tx: Tx, key: PartnerKey) => {
  const signIns = await listSignIns(tx, key)
  const removed = await tx
    .deleteFrom('partnerUsers')
    .where('programId', '=', key.programId)
    .where('partnerId', '=', key.partnerId)
    .returning('userId')
    .execute()
  const ids = new Set(removed.map(({ userId }) => userId))
  return signIns.filter(({ userId }) => ids.has(userId)).map(({ email }) => email)
}

export const hasPartnerUser = async (db: Database | Tx, { programId, partnerId }: PartnerKey) =>
  Boolean(
    await db
      .selectFrom('partnerUsers')
      .select('userId')
      .where('programId', '=', programId)
      .where('partnerId', '=', partnerId)
      .limit(1)
      .executeTakeFirst(),
  )

/** Those of the partners that someone can sign in as. */
export const partnersWithSignIn = async (tx: Tx, { programId, ids }: { programId: number; ids: number[] }) => {
  const rows = await tx
    .selectFrom('partnerUsers')
    .select('partnerId')
    .where('programId', '=', programId)
    .where('partnerId', '=', anyOf(ids))
    .execute()
  return new Set(rows.map(({ partnerId }) => partnerId))
}

/** Whether the partner in `partner_users` is more than an applicant: invited, approved, with payout details or with a link. */
const isInUse = sql<boolean>`(
  EXISTS (
    SELECT FROM partners partner
    WHERE partner.program_id = partner_users.program_id AND partner.id = partner_users.partner_id
      AND partner.status NOT IN ('pending', 'rejected'))
  OR EXISTS (
    SELECT FROM partner_invitations invitation
    WHERE invitation.program_id = partner_users.program_id AND invitation.partner_id = partner_users.partner_id
      AND invitation.accepted_at IS NOT NULL)
  OR ${hasPayoutDetails}
  OR ${hasOwnLink})`

/** The partners of an account. `isBound`: it is more than an applicant, or applied outside the workspace `onlyIn`. */
export const findApplications = async (tx: Tx, { userId, onlyIn }: { userId: string; onlyIn: string | null }) => {
  const { rows } = await sql<PartnerKey & { isBound: boolean }>`
    SELECT partner_users.program_id, partner_users.partner_id,
      (${onlyIn}::text IS NOT NULL AND program.workspace_id <> ${onlyIn}) OR ${isInUse} AS is_bound
    FROM partner_users
    JOIN programs program ON program.id = partner_users.program_id
    WHERE partner_users.user_id = ${userId}`.execute(tx)
  return rows
}

/** Removes an account's applications when the account changes hands. */
export const removeApplications = (tx: Tx, userId: string) =>
  tx.deleteFrom('partnerUsers').where('userId', '=', userId).execute()

const PARTNER_COLUMNS = [
  'partners.programId',
  'partners.id as partnerId',
  'partners.name',
  'partners.email',
  'partners.code',
  sql.ref<PartnerStatus>('partners.status').as('status'),
  'partners.archived',
  'partners.createdAt',
] as const

const userPartners = (db: Database, userId: string) =>
  db
    .selectFrom('partnerUsers')
    .innerJoin('partners', (join) =>
      join
        .onRef('partners.programId', '=', 'partnerUsers.programId')
        .onRef('partners.id', '=', 'partnerUsers.partnerId'),
    )
    .where('partnerUsers.userId', '=', userId)
    .select(PARTNER_COLUMNS)
    .$narrowType<{ status: PartnerStatus }>()

/** A partner as the portal shows them, whether or not anyone can sign in as them. */
export const findPartner = (db: Database | Tx, { programId, partnerId }: PartnerKey) =>
  db
    .selectFrom('partners')
    .where('programId', '=', programId)
    .where('id', '=', partnerId)
    .select(PARTNER_COLUMNS)
    .$narrowType<{ status: PartnerStatus }>()
    .executeTakeFirst()

/** All of a user's partners, across programs. */
export const partnersOfUser = (db: Database, userId: string) =>
  userPartners(db, userId).orderBy('partners.programId').orderBy('partners.id').execute()

/** The partners a caller of the portal sees: the viewed one, or all that they sign in as. */
export const partnersOfCaller = async (db: Database, { id, view }: Pick<SignedInPartner, 'id' | 'view'>) =>
  view ? [view.partner] : partnersOfUser(db, id)

/** The user's partner in a program. */
export const partnerOfUser = (db: Database, { userId, programId }: { userId: string; programId: number }) =>
  userPartners(db, userId).where('partners.programId', '=', programId).executeTakeFirst()
