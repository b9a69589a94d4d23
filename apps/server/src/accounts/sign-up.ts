import { APIError } from 'better-auth/api'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

type NewUser = { email: string; isDemo?: boolean }
type Candidate<User> = {
  user: User
  body: unknown
  openSignup: boolean
  asPartner?: boolean | undefined
  mayBeFirst?: boolean | undefined
}

/**
 * The first person of an instance signs up from the machine itself or with the token that the start printed; whoever comes later holds an invitation, unless sign-up is open.
 * Who is first is decided by a unique index when the row is written, not by this look.
 */
export const admitSignUp = async <User extends NewUser>(
  db: Database | Tx,
  { user, body, openSignup, asPartner, mayBeFirst }: Candidate<User>,
): Promise<User & { isFirst: boolean }> => {
  // A partner takes nobody's place: the first person is the first who is not one.
  if (asPartner) return { ...user, isFirst: false }
  const settled = await db
    .selectFrom('users')
    .select('id')
    .where('isDemo', '=', false)
    .where((e) => e.or([e('isFirst', '=', true), e('id', 'in', e.selectFrom('members').select('userId'))]))
    .limit(1)
    .executeTakeFirst()
  if (!settled && !user.isDemo && (mayBeFirst || openSignup)) return { ...user, isFirst: true }
  if (openSignup || user.isDemo || (await isInvited(db, user.email, body))) return { ...user, isFirst: false }
  if (!settled)
    throw new APIError('FORBIDDEN', {
      code: 'SIGN_UP_CLOSED',
      message:
        'This instance has no account yet. To create the first one, open the sign-up address that was printed where the service was started: it carries a set-up token',
    })
  throw new APIError('FORBIDDEN', {
    code: 'SIGN_UP_CLOSED',
    message: 'Sign-up is by invitation. Ask a member of your workspace for an invitation link.',
  })
}

/** Knowing that an address was invited proves nothing: the secret ID in the invitation link does. */
export const isInvited = async (db: Database | Tx, email: string, body: unknown) => {
  const invitationId = typeof body === 'object' && body !== null && 'invitationId' in body ? body.invitationId : null
  return typeof invitationId === 'string' && (await invitingWorkspace(db, { email, invitationId })) !== null
}

/** The workspace that invites this address by a link that can still be used. */
export const invitingWorkspace = async (
  db: Database | Tx,
  { email, invitationId }: { email: string; invitationId?: string | undefined },
) => {
  if (invitationId === undefined) return null
  const invitation = await db
    .selectFrom('invitations')
    .select('organizationId')
    .where('id', '=', invitationId)
    .where('email', '=', email.toLowerCase())
    .where('status', '=', 'pending')
    // By the machine's clock, as better-auth dates an invitation and judges it when it is accepted.
    .where('expiresAt', '>', new Date())
    .executeTakeFirst()
  return invitation?.organizationId ?? null
}
