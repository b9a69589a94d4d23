import { betterAuth } from 'better-auth'
import { organization } from 'better-auth/plugins/organization'
import { CamelCasePlugin } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { accessControl, roles } from './roles.ts'
import { admitSignUp } from './sign-up.ts'

const WEEK_SECONDS = 7 * 24 * 3600
const HOUR_SECONDS = 3600

export type Auth = ReturnType<typeof createAuth>

export type AuthOptions = {
  /** In a transaction, the library makes none of its own. */
  db: Database | Tx
  secret: string
  baseUrl: string
  openSignup: boolean
  /** Whoever signs up here does so as a partner. */
  asPartner?: boolean | undefined
  /** Whoever signs up here may be the first of the instance. */
  mayBeFirst?: boolean | undefined
  /** Hands the secret of a reset to its owner; absent where there is no way to. Does not wait: see below. */
  sendReset?: ((reset: { email: string; token: string }) => void) | undefined
  /** Instead of the library's hash, which is slow on purpose. For tests. */
  passwords?: Passwords | undefined
  onError: (message: string, cause: unknown) => void
}

export type Passwords = {
  hash: (password: string) => Promise<string>
  verify: (of: { hash: string; password: string }) => Promise<boolean>
}

/** Accounts, sessions and workspaces. Its organizations are our workspaces; the tables are ours (0002-accounts.sql). */
export const createAuth = ({ db, secret, baseUrl, sendReset, passwords, onError, ...admission }: AuthOptions) =>
  betterAuth({
    appName: 'Tributary',
    baseURL: baseUrl,
    basePath: '/api/auth',
    secret,
    // It asks Kysely's own plugin what our columns are called.
    database: {
      db: db.withoutPlugins().withPlugin(new CamelCasePlugin()),
      type: 'postgres',
      transaction: !db.isTransaction,
    },
    emailAndPassword: signInByPassword({ sendReset, passwords }),
    user: {
      modelName: 'users',
      additionalFields: {
        isFirst: { type: 'boolean', input: false, returned: false, required: false },
        isDemo: { type: 'boolean', input: false, returned: false, required: false },
      },
    },
    session: { modelName: 'sessions' },
    account: { modelName: 'credentials' },
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    databaseHooks: {
      user: {
        create: {
          before: async (user, context) => ({
            data: await admitSignUp(db, { user, body: context?.body, ...admission }),
          }),
        },
      },
    },
    plugins: [workspaces()],
    advanced: {
      // We serve on exactly our migrations (database/schema/schema-guard.ts), and a test keeps them as the library wants them.
      database: { validateSchema: false },
      cookiePrefix: 'tributary',
      useSecureCookies: baseUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { disableIpTracking: true },
      // Both are done before every /api call, its own included: http/same-origin.ts, http/rate-limits.ts.
      disableCSRFCheck: true,
      disableOriginCheck: true,
    },
    rateLimit: { enabled: false },
    // To us, so that a lost database is told from a bug: http/session/people/accounts.ts.
    onAPIError: { throw: true },
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_, message, cause) => onError(message, cause) },
  })

const signInByPassword = ({ sendReset, passwords }: Pick<AuthOptions, 'sendReset' | 'passwords'>) => ({
  enabled: true,
  minPasswordLength: 8,
  ...(passwords && { password: passwords }),
  ...(sendReset && {
    // Not awaited: an answer that took as long as a mail does would tell that there is such an account.
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
