import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import type { OidcSettings } from '../config/oidc.ts'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

export const PROVIDER = 'oidc'
const TIMEOUT_MS = 5_000
const MAX_NAME = 120

const discoveryUrl = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** Authorization code flow with PKCE, state and nonce; the ID token's signature, issuer and audience are verified. */
export const identityProvider = (settings: OidcSettings | undefined) =>
  genericOAuth({ config: settings ? [providerOf(settings)] : [] })

const providerOf = ({ issuer, clientId, clientSecret, name }: OidcSettings) => ({
  providerId: PROVIDER,
  name,
  clientId,
  clientSecret,
  discoveryUrl: discoveryUrl(issuer),
  requireIdTokenVerification: true,
  scopes: ['openid', 'email', 'profile'],
  pkce: true,
  // A provider that does not say so has not verified the address.
  mapProfileToUser: ({ email_verified, name, email }: Record<string, unknown>) => ({
    emailVerified: email_verified === true,
    name: String(name || email || '').slice(0, MAX_NAME),
  }),
})

/** Why the provider cannot be used now, or null. Also keeps a provider that never responds from blocking a request. */
export const findProviderProblem = async ({ issuer }: OidcSettings): Promise<string | null> => {
  try {
    const response = await fetch(discoveryUrl(issuer), { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
    if (!response.ok) return `its discovery document answers ${response.status}`
    const found = (await response.json()) as Record<string, unknown>
    if (found.issuer !== issuer) return `it calls itself "${found.issuer}"; set OIDC_ISSUER to exactly that`
    const missing = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].find((key) => !found[key])
    return missing ? `its discovery document has no ${missing}` : null
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be reached'
  }
}

type SignOnCheck = {
  user: { id?: string; email?: string; emailVerified?: boolean }
  source: { action: string; method: string }
}

/** Runs before an account is created or linked and at every sign-in with the identity provider. */
export const admitSignOn =
  (db: Database | Tx, settings: OidcSettings | undefined) =>
  async ({ user, source }: SignOnCheck) => {
    if (source.method !== 'oauth') return
    const { id, email = '', emailVerified: isVerified = false } = user
    const userId = source.action === 'create-user' ? undefined : id
    const profile = { email, userId, isVerified, isLinked: source.action === 'sign-in' }
    const error = settings ? await refuseOutsider(db, settings, profile) : 'not_invited'
    return error ? { error } : undefined
  }

type Profile = { email: string; userId: string | undefined; isVerified: boolean; isLinked: boolean }

/**
 * Only members of a workspace and people with an open invitation sign in with the identity provider. Returns the reason for
 * refusing anyone else.
 */
const refuseOutsider = async (
  db: Database | Tx,
  { allowedDomains }: OidcSettings,
  { email, userId, isVerified, isLinked }: Profile,
) => {
  if (!isVerified) return 'email_not_verified'
  const domain = email.split('@').at(-1) ?? ''
  if (allowedDomains.length > 0 && !allowedDomains.includes(domain)) return 'domain_not_allowed'
  if (userId === undefined) return (await hasOpenInvitation(db, email)) ? null : 'not_invited'
  if (isLinked) return null
  return (await mayLink(db, { userId, email })) ? null : 'not_invited'
}

/** An unconfirmed account outside every workspace may have been created by someone else, who would keep access to it. */
const mayLink = async (db: Database | Tx, { userId, email }: { userId: string; email: string }) => {
  const member = await db.selectFrom('members').select('id').where('userId', '=', userId).executeTakeFirst()
  const user = await db
    .selectFrom('users')
    .select(['emailVerified', 'isFirst'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!member) return Boolean(user?.emailVerified) && hasOpenInvitation(db, email)
  if (!user?.emailVerified && !user?.isFirst) await endOtherAccess(db, userId)
  return true
}

/**
 * The address was never confirmed, so the person who created the account may not own it: with open sign-up anyone can become a
 * member of their own workspace. As for a sign-in link, the password and sessions end.
 */
const endOtherAccess = async (db: Database | Tx, userId: string) => {
  await db.deleteFrom('credentials').where('userId', '=', userId).where('providerId', '=', 'credential').execute()
  await db.deleteFrom('sessions').where('userId', '=', userId).execute()
  await db.updateTable('users').set({ emailVerified: true }).where('id', '=', userId).execute()
}

const hasOpenInvitation = async (db: Database | Tx, email: string) =>
  Boolean(
    await db
      .selectFrom('invitations')
      .select('id')
      .where('email', '=', email.toLowerCase())
      .where('status', '=', 'pending')
      // System clock, because better-auth dates and checks invitations with it.
      .where('expiresAt', '>', new Date())
      .executeTakeFirst(),
  )
