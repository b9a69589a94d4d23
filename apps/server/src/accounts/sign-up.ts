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
 * The first person signs up from this machine or with the printed token; later ones need an invitation unless sign-up is open.
 * A unique index decides who is first when the row is written; this query does not.
 */
export const admitSignUp = async <User extends NewUser>(
  db: Database | Tx,
  { user, body, openSignup, asPartner, mayBeFirst }: Candidate<User>,
): Promise<User & { isFirst: boolean }> => {
  // A partner is never the first account.
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
        'This instance has no account yet. To create the first one, open the sign-up link that the service printed at startup.',
    })
  throw new APIError('FORBIDDEN', {
    code: 'SIGN_UP_CLOSED',
    message: 'Sign-up is by invitation. Ask your team, or the company you partner with, for an invitation link.',
  })
}

/** The secret ID in the invitation link is the proof; knowing an invited address is not. */
export const isInvited = async (db: Database | Tx, email: string, body: unknown) => {
  const invitationId = typeof body === 'object' && body !== null && 'invitationId' in body ? body.invitationId : null
  return typeof invitationId === 'string' && (await invitingWorkspace(db, { email, invitationId })) !== null
}

/** The workspace that invited this address, if the link is still valid. */
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
    // System clock, because better-auth dates and checks invitations with it.
    .where('expiresAt', '>', new Date())
    .executeTakeFirst()
  return invitation?.organizationId ?? null
}
