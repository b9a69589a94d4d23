import { createHash, randomBytes } from 'node:crypto'
import { programId } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { becomePartner } from './partner-users.ts'
import type { PartnerKey } from './payout-details.ts'

const TWO_WEEKS_MS = 14 * 86_400_000
const SECRET = /^(\d+)_([A-Za-z0-9_-]{32})$/

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/** The link contains the program ID for the lookup; only the secret's hash is stored. */
const parseId = (id: string) => {
  const [, program, secret = ''] = SECRET.exec(id) ?? []
  const known = programId.safeParse(program)
  return known.success ? { programId: known.data, secretHash: hashOf(secret) } : null
}

export const createPartnerInvitation = async (
  tx: Tx,
  { programId, partnerId, email, onlyMailed, at }: PartnerKey & { email: string; onlyMailed: boolean; at: Date },
) => {
  const secret = randomBytes(24).toString('base64url')
  const expiresAt = new Date(at.getTime() + TWO_WEEKS_MS)
  // A new link revokes the old ones: the first was lost or sent to the wrong address.
  const ended = await endPartnerInvitations(tx, { programId, partnerId, at })
  await tx
    .insertInto('partnerInvitations')
    .values({
      programId,
      partnerId,
      email: email.toLowerCase(),
      onlyMailed,
      secretHash: hashOf(secret),
      createdAt: at,
      expiresAt,
    })
    .execute()
  return { id: `${programId}_${secret}`, expiresAt, ended }
}

/** Revokes all pending invitation links. Returns the addresses of those that had not expired. */
export const endPartnerInvitations = async (tx: Tx, { programId, partnerId, at }: PartnerKey & { at: Date }) => {
  const ended = await tx
    .deleteFrom('partnerInvitations')
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .where('acceptedAt', 'is', null)
    .returning(['email', 'expiresAt'])
    .execute()
  return ended.filter(({ expiresAt }) => expiresAt > at).map(({ email }) => email)
}

/** When the partner's pending invitation expires; null without one. */
export const findInvitedUntil = async (db: Database, { programId, partnerId, at }: PartnerKey & { at: Date }) => {
  const row = await db
    .selectFrom('partnerInvitations')
    .select('expiresAt')
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .where('acceptedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirst()
  return row?.expiresAt ?? null
}

/** Finds a pending, unexpired invitation by the secret in its link. */
export const findPartnerInvitation = async (db: Database | Tx, { id, at }: { id: string; at: Date }) => {
  const key = parseId(id)
  if (!key) return null
  const row = await db
    .selectFrom('partnerInvitations')
    .innerJoin('partners', (join) =>
      join
        .onRef('partners.programId', '=', 'partnerInvitations.programId')
        .onRef('partners.id', '=', 'partnerInvitations.partnerId'),
    )
    .innerJoin('programs', 'programs.id', 'partnerInvitations.programId')
    .where('partnerInvitations.programId', '=', key.programId)
    .where('secretHash', '=', key.secretHash)
    .where('acceptedAt', 'is', null)
    .where('expiresAt', '>', at)
    .select([
      'partnerInvitations.programId',
      'partnerInvitations.partnerId',
      'partnerInvitations.email',
      'partnerInvitations.expiresAt',
      'partnerInvitations.onlyMailed',
      'partners.name as partnerName',
      'programs.name as programName',
      'programs.workspaceId',
    ])
    .executeTakeFirst()
  return row ?? null
}

/** Whether a partner whom the user does not sign in as has this address, or an open invitation to it. */
export const isAddressOfOther = async (
  db: Database | Tx,
  { email, userId, at }: { email: string; userId: string; at: Date },
) => {
  const { rows } = await sql`
    SELECT FROM partners
    WHERE (lower(partners.email) = ${email} OR EXISTS (
        SELECT FROM partner_invitations invitation
        WHERE invitation.program_id = partners.program_id AND invitation.partner_id = partners.id
          AND invitation.email = ${email} AND invitation.accepted_at IS NULL AND invitation.expires_at > ${at}))
      AND NOT EXISTS (
        SELECT FROM partner_users
        WHERE partner_users.program_id = partners.program_id AND partner_users.partner_id = partners.id
          AND partner_users.user_id = ${userId})
    LIMIT 1`.execute(db)
  return rows.length > 0
}

type Acceptance = PartnerKey & { id: string; userId: string; at: Date }

/** Makes the user this partner. Of concurrent calls, one succeeds. */
export const acceptPartnerInvitation = async (tx: Tx, { id, programId, partnerId, userId, at }: Acceptance) => {
  if (!(await consume(tx, { id, at }))) throw new Refusal('not_found', 'This invitation has already been used.')
  await becomePartner(tx, { programId, partnerId, userId, createdAt: at })
}

/** True for the one call that consumes it. */
const consume = async (tx: Tx, { id, at }: { id: string; at: Date }) => {
  const key = parseId(id)
  if (!key) return false
  const { numUpdatedRows } = await tx
    .updateTable('partnerInvitations')
    .set({ acceptedAt: at })
    .where('programId', '=', key.programId)
    .where('secretHash', '=', key.secretHash)
    .where('acceptedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
