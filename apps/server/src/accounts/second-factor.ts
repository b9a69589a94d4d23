import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

const STEP_SECONDS = 30
/** The library accepts the previous and the next code too. */
const STEPS_APART = [-1, 0, 1]
const CHALLENGE_SECONDS = 600
export const MAX_WRONG_CODES = 10
export const LOCKED_SECONDS = 900

/** Every way to sign in asks for the second factor. The library covers only sign-in by password. */
const CHALLENGED = ['/sign-in/email', '/magic-link/verify', '/callback/:id']

type Secured = { db: Database | Tx; secret: string }

/** TOTP codes and recovery codes, from better-auth's plugin, stricter where it is lax. */
export const secondFactor = ({ db, secret }: Secured) => {
  const library = twoFactor({
    issuer: 'Tributary',
    twoFactorTable: 'twoFactors',
    twoFactorCookieMaxAge: CHALLENGE_SECONDS,
    accountLockout: { enabled: true, maxFailedAttempts: MAX_WRONG_CODES, durationSeconds: LOCKED_SECONDS },
    // Accounts without a password sign in by link or identity provider.
    allowPasswordless: true,
    backupCodeOptions: {
      customBackupCodesGenerate: generateRecoveryCodes,
      // The library would encrypt the codes; hashes cannot be read back.
      storeBackupCodes: {
        encrypt: async (codes) => JSON.stringify((JSON.parse(codes) as string[]).map((code) => hashed(secret, code))),
        decrypt: async (hashes) => hashes,
      },
    },
  })
  const [challenge] = library.hooks.after
  const asksAfter = { ...challenge, matcher: ({ path }: { path?: string }) => CHALLENGED.includes(path ?? '') }
  const plugin = { ...library, hooks: { after: [asksAfter], before: [refuseUsedCode(db), hashRecoveryCode(secret)] } }
  return plugin as typeof library
}

type BeforeHook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['before']>[number]

/** The library accepts a code as often as it is sent while it is valid, which is 90 seconds. */
const refuseUsedCode = (db: Database | Tx): BeforeHook => ({
  matcher: ({ path }) => path === '/two-factor/verify-totp',
  handler: createAuthMiddleware(async (ctx) => {
    const { authCookies, createAuthCookie, internalAdapter, secret, secretConfig } = ctx.context
    const challengeId = await ctx.getSignedCookie(createAuthCookie('two_factor').name, secret)
    const token = await ctx.getSignedCookie(authCookies.sessionToken.name, secret)
    const challenge = challengeId ? await internalAdapter.findVerificationValue(challengeId) : null
    const session = token ? await internalAdapter.findSession(token) : null
    const userId = challenge?.value ?? session?.user.id
    if (!userId) return
    const use = await claimCode(db, { userId, code: String(ctx.body?.code), key: secretConfig })
    if (use === 'used') throw new APIError('UNAUTHORIZED', { code: 'CODE_ALREADY_USED' })
  }),
})

const hashRecoveryCode = (secret: string): BeforeHook => ({
  matcher: ({ path }) => path === '/two-factor/verify-backup-code',
  handler: createAuthMiddleware(async (ctx) => ({
    context: { body: { code: hashed(secret, normalized(String(ctx.body?.code))) } },
  })),
})

type Claim = { userId: string; code: string; key: Parameters<typeof symmetricDecrypt>[0]['key'] }

/** Uses up a code that is right and new. Of two concurrent calls with the same code, one succeeds. */
export const claimCode = async (db: Database | Tx, { userId, code, key }: Claim) => {
  const row = await db.selectFrom('twoFactors').select('secret').where('userId', '=', userId).executeTakeFirst()
  if (!row) return 'wrong'
  const step = stepOf(await symmetricDecrypt({ key, data: row.secret }), code)
  if (step === undefined) return 'wrong'
  const claimed = await db
    .updateTable('twoFactors')
    .set({ lastUsedStep: step })
    .where('userId', '=', userId)
    .where('lastUsedStep', '<', step)
    .returning('id')
    .executeTakeFirst()
  return claimed ? 'accepted' : 'used'
}

// System clock, because better-auth checks codes with it.
const stepOf = (secret: string, code: string) => {
  const now = Math.floor(Date.now() / 1000 / STEP_SECONDS)
  return STEPS_APART.map((apart) => now + apart).find((step) => isEqual(codeAt(secret, step), code))
}

/** RFC 6238 with the defaults of every authenticator app: SHA-1, 30 seconds, 6 digits. */
export const codeAt = (secret: string, step: number) => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const isEqual = (one: string, other: string) => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const RECOVERY_CODES = 10

const randomText = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
const generateRecoveryCodes = () => Array.from({ length: RECOVERY_CODES }, () => `${randomText(5)}-${randomText(5)}`)

const normalized = (code: string) => {
  const text = code.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

const HASHED = 'sha256:'

/** Codes are random, so a keyed hash is enough. After each use, the library stores the remaining hashes again. */
const hashed = (secret: string, code: string) =>
  code.startsWith(HASHED) ? code : HASHED + createHmac('sha256', `recovery codes ${secret}`).update(code).digest('hex')

/** Sessions remember that they were opened with a second factor. Changing the password keeps that. */
export const secondFactorOf = (context: SessionContext) => {
  if (context?.path === '/two-factor/verify-totp' || context?.path === '/two-factor/verify-backup-code')
    return new Date()
  if (context?.path === '/change-password') return context.context.session?.session.secondFactorAt ?? null
  return null
}

type SessionContext =
  | { path?: string; context: { session?: { session: { secondFactorAt?: Date | null } } | null } }
  | null
  | undefined
