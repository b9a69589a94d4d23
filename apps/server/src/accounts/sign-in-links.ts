import { createHash } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { magicLink } from 'better-auth/plugins/magic-link'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

const TEN_MINUTES = 600

export type SendLink = (link: { email: string; token: string }) => void

/** Sign-in by email link, from better-auth's plugin. It creates no accounts. */
export const signInLinks = ({ db, sendLink }: { db: Database | Tx; sendLink: SendLink | undefined }) => {
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
