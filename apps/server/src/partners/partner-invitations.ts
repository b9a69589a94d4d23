import { createHash, randomBytes } from 'node:crypto'
import { programId } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { becomePartner } from './partner-users.ts'
import type { PartnerKey } from './payout-details.ts'

const TWO_WEEKS_MS = 14 * 86_400_000
const SECRET = /^(\d+)_([A-Za-z0-9_-]{32})$/

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/** The program is part of the link, so that it is found by a key; the secret itself is kept by nobody. */
const read = (id: string) => {
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
  // A new link ends the old ones: whoever asks for another has lost the first, or it went to the wrong place.
  const ended = await endPartnerInvitations(tx, { programId, partnerId, at })
  await tx
    .insertInto('partnerInvitations')
    .values({
      ...{ programId, partnerId, email: email.toLowerCase(), onlyMailed },
      ...{ secretHash: hashOf(secret), createdAt: at, expiresAt },
    })
    .execute()
  return { id: `${programId}_${secret}`, expiresAt, ended }
}

/** No link that was handed out before can be accepted any more. Answers the addresses of those that still could be. */
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

/** By the secret of its link, and only while it can still be accepted. */
export const findPartnerInvitation = async (db: Database | Tx, { id, at }: { id: string; at: Date }) => {
  const key = read(id)
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

type Accepting = PartnerKey & { id: string; userId: string; at: Date }

/** Makes somebody the partner whom the invitation is for. Of several calls at once, one does. */
export const acceptPartnerInvitation = async (tx: Tx, { id, programId, partnerId, userId, at }: Accepting) => {
  if (!(await useUp(tx, { id, at }))) throw new Refusal('not_found', 'This invitation was used just now.')
  await becomePartner(tx, { programId, partnerId, userId, createdAt: at })
}

/** True for the one call that uses it up. */
const useUp = async (tx: Tx, { id, at }: { id: string; at: Date }) => {
  const key = read(id)
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
