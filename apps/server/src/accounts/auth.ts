import { createHash } from 'node:crypto'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { magicLink } from 'better-auth/plugins/magic-link'
import { organization } from 'better-auth/plugins/organization'
import { CamelCasePlugin } from 'kysely'
import type { OidcSettings } from '../config/oidc.ts'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { accessControl, roles } from './roles.ts'
import { secondFactor, secondFactorOf } from './second-factor.ts'
import { admitSignOn, identityProvider } from './sign-on.ts'
import { admitSignUp } from './sign-up.ts'

const WEEK_SECONDS = 7 * 24 * 3600
const HOUR_SECONDS = 3600

export type Auth = ReturnType<typeof createAuth>

export type AuthOptions = {
  /** Inside a transaction, better-auth must not open another one. */
  db: Database | Tx
  secret: string
  baseUrl: string
  openSignup: boolean
  /** Sign-ups become partners. */
  asPartner?: boolean | undefined
  /** A sign-up may create the first account of the instance. */
  mayBeFirst?: boolean | undefined
  /** Sends the reset token to the account's owner; absent without a mail server. Must not block: see below. */
  sendReset?: ((reset: { email: string; token: string }) => void) | undefined
  /** Sends a sign-in link to the address if it has an account; absent without a mail server. */
  sendLink?: SendLink | undefined
  /** Signs in with this identity provider. Fetches its configuration immediately, so only sign-on.ts sets it. */
  signOn?: OidcSettings | undefined
  /** For tests: replaces better-auth's deliberately slow hash. */
  passwords?: Passwords | undefined
  onError: (message: string, cause: unknown) => void
}

export type Passwords = {
  hash: (password: string) => Promise<string>
  verify: (of: { hash: string; password: string }) => Promise<boolean>
}

/** Accounts, sessions and workspaces. Workspaces are better-auth organizations in our own tables (0002-accounts.sql). */
export const createAuth = ({
  db,
  secret,
  baseUrl,
  sendReset,
  sendLink,
  signOn,
  passwords,
  onError,
  ...admission
}: AuthOptions) =>
  betterAuth({
    appName: 'Tributary',
    baseURL: baseUrl,
    basePath: '/api/auth',
    secret,
    // better-auth reads our column names through Kysely's own plugin.
    database: {
      db: db.withoutPlugins().withPlugin(new CamelCasePlugin()),
      type: 'postgres',
      transaction: !db.isTransaction,
    },
    emailAndPassword: signInByPassword({ sendReset, passwords }),
    user: {
      modelName: 'users',
      validateUserInfo: admitSignOn(db, signOn),
      additionalFields: {
        isFirst: { type: 'boolean', input: false, returned: false, required: false },
        isDemo: { type: 'boolean', input: false, returned: false, required: false },
      },
    },
    session: {
      modelName: 'sessions',
      additionalFields: { secondFactorAt: { type: 'date', input: false, required: false } },
    },
    account: {
      modelName: 'credentials',
      updateAccountOnSignIn: false,
      // sign-on.ts decides; most addresses of members were never confirmed by email.
      accountLinking: { requireLocalEmailVerified: false },
    },
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    databaseHooks: {
      user: {
        create: {
          before: async (user, context) => ({
            // admitSignOn has already decided about the identity provider's users.
            data: signOn ? user : await admitSignUp(db, { user, body: context?.body, ...admission }),
          }),
        },
      },
      account: { create: { before: async (account) => ({ data: { ...account, ...NO_TOKENS } }) } },
      session: {
        create: {
          before: async (session, context) => ({ data: { ...session, secondFactorAt: secondFactorOf(context) } }),
        },
      },
    },
    plugins: [workspaces(), secondFactor({ db, secret }), signInLinks({ db, sendLink }), identityProvider(signOn)],
    advanced: advancedSettings(baseUrl),
    rateLimit: { enabled: false },
    // Throw, so that a lost database is distinguished from a bug: http/sign-in/accounts.ts.
    onAPIError: { throw: true },
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_, message, cause) => onError(message, cause) },
  })

/** Tokens of the identity provider are used once, at sign-in. */
const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null }

const advancedSettings = (baseUrl: string) => ({
  // The schema guard (database/schema/schema-guard.ts) covers this, and a test compares our migrations with the library.
  database: { validateSchema: false },
  cookiePrefix: 'tributary',
  useSecureCookies: baseUrl.startsWith('https:'),
  defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' as const },
  ipAddress: { disableIpTracking: true },
  // Every /api call is checked before it gets here: http/same-origin.ts, http/rate-limits.ts.
  disableCSRFCheck: true,
  disableOriginCheck: true,
})

const signInByPassword = ({ sendReset, passwords }: Pick<AuthOptions, 'sendReset' | 'passwords'>) => ({
  enabled: true,
  minPasswordLength: 8,
  ...(passwords && { password: passwords }),
  ...(sendReset && {
    // Not awaited: a response that takes as long as sending mail would reveal that the account exists.
    sendResetPassword: async ({ user: { email }, token }: { user: { email: string }; token: string }) =>
      sendReset({ email, token }),
    resetPasswordTokenExpiresIn: HOUR_SECONDS,
    revokeSessionsOnPasswordReset: true,
  }),
})

const workspaces = () =>
  organization({
    ac: accessControl,
    roles,
    creatorRole: 'owner',
    invitationExpiresIn: WEEK_SECONDS,
    cancelPendingInvitationsOnReInvite: true,
    schema: {
      organization: { modelName: 'workspaces' },
      member: { modelName: 'members' },
      invitation: { modelName: 'invitations' },
    },
  })

const TEN_MINUTES = 600

type SendLink = (link: { email: string; token: string }) => void

/** Sign-in by email link, from better-auth's plugin. It creates no accounts. */
const signInLinks = ({ db, sendLink }: { db: Database | Tx; sendLink: SendLink | undefined }) => {
  const library = magicLink({
    expiresIn: TEN_MINUTES,
    disableSignUp: true,
    storeToken: { type: 'custom-hasher', hash: async (token) => hashOf(token) },
    // Not awaited: a response that takes as long as sending mail would reveal that the account exists.
    sendMagicLink: async ({ email, token }) => sendLink?.({ email, token }),
  })
  return { ...library, hooks: { before: [keepFirst(db)] } } as typeof library
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

type BeforeHook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['before']>[number]

/**
 * The library removes the password and sessions of an account whose address was never confirmed, because someone else may have
 * created it. That includes members of a workspace: with open sign-up anyone can create one, and the member who invites an address
 * sees the link. The first user was let in by the setup token, so they keep theirs.
 */
const keepFirst = (db: Database | Tx): BeforeHook => ({
  matcher: ({ path }) => path === '/magic-link/verify',
  handler: createAuthMiddleware(async (ctx) => {
    const { internalAdapter } = ctx.context
    const pending = await internalAdapter.findVerificationValue(`magic-link:${hashOf(String(ctx.query?.token))}`)
    if (!pending || pending.expiresAt <= new Date()) return
    const { email } = JSON.parse(pending.value) as { email: string }
    const first = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email.toLowerCase())
      .where('emailVerified', '=', false)
      .where('isFirst', '=', true)
      .executeTakeFirst()
    if (first) await internalAdapter.updateUser(first.id, { emailVerified: true })
  }),
})
