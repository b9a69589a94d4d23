import {
  changeTwoFactorRequest,
  confirmTwoFactorRequest,
  enableTwoFactorRequest,
  verifySecondFactorRequest,
} from '@tributary/contract'
import { asRefusal, refusalOf } from '../../accounts/as-refusal.ts'
import { readTwoFactor } from '../../accounts/two-factor-settings.ts'
import { recoveryCodeUsed, twoFactorTurnedOff } from '../../mail/emails.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { check, readJson, readOptionalJson } from '../read-json.ts'
import { callLibrary, jsonOf } from './call-library.ts'
import { requireCode, requirePassword } from './confirm-user.ts'
import { requireSession } from './require-session.ts'
import { withCookies } from './sign-up.ts'

const SETTINGS = ['enable', 'confirm', 'recovery-codes', 'disable']

/** /api/auth/two-factor: the second step of sign-in, and the user's own settings. */
export const twoFactor = (app: App, dependencies: Dependencies) => {
  const { auth, db, limits, mailer } = dependencies
  app.use('/api/auth/two-factor', requireSession(dependencies))
  for (const path of SETTINGS) app.use(`/api/auth/two-factor/${path}`, requireSession(dependencies))
  // Limited like sign-in, because codes and passwords could be guessed.
  app.use('/api/auth/two-factor/*', (c, next) => {
    if (c.req.method === 'POST') limits.signIn(c.get('clientIp'))
    return next()
  })

  secondStep(app, dependencies)
  app.get('/api/auth/two-factor', async (c) => c.json({ data: await readTwoFactor(db, c.get('user').id) }))

  app.post('/api/auth/two-factor/enable', async (c) => {
    const body = check(enableTwoFactorRequest, await readOptionalJson(c))
    const response = await callLibrary(c, auth, { path: 'two-factor/enable', body: { ...body, method: 'totp' } })
    const { totpURI, backupCodes } = await jsonOf<{ totpURI: string; backupCodes: string[] }>(response)
    const secret = new URL(totpURI).searchParams.get('secret') ?? ''
    return c.json({ data: { uri: totpURI, secret, recoveryCodes: backupCodes } })
  })

  app.post('/api/auth/two-factor/confirm', async (c) => {
    const body = check(confirmTwoFactorRequest, await readJson(c))
    const { enabled } = await readTwoFactor(db, c.get('user').id)
    if (enabled) throw refusalOf(409, { code: 'TOTP_ALREADY_ENABLED' })
    const call = { path: 'two-factor/verify-totp', body, onlyCookie: 'session_token' }
    const response = await callLibrary(c, auth, call)
    const answer = await jsonOf<{ token: string; user: object }>(response)
    // Sessions from before have no second factor, and one of them may be the reason to turn it on.
    const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
    await asRefusal(auth.api.revokeOtherSessions({ headers: new Headers({ cookie: cookie.join('; ') }) }))
    return withCookies(c, response.headers).json(answer)
  })

  app.post('/api/auth/two-factor/recovery-codes', async (c) => {
    const { code, ...body } = check(changeTwoFactorRequest, await readJson(c))
    await requireBoth(c, dependencies, { code, ...body })
    const response = await callLibrary(c, auth, { path: 'two-factor/generate-backup-codes', body })
    const { backupCodes } = await jsonOf<{ backupCodes: string[] }>(response)
    return c.json({ data: { recoveryCodes: backupCodes } })
  })

  app.post('/api/auth/two-factor/disable', async (c) => {
    const { code, ...body } = check(changeTwoFactorRequest, await readJson(c))
    await requireBoth(c, dependencies, { code, ...body })
    const response = await callLibrary(c, auth, { path: 'two-factor/disable', body })
    const answer = await jsonOf<{ status: boolean }>(response)
    void mailer?.send(c.get('user').email, twoFactorTurnedOff())
    return withCookies(c, response.headers).json(answer)
  })
}

/** Completes a sign-in. */
const secondStep = (app: App, { auth, db, mailer }: Dependencies) => {
  // Only the cookie of the first step counts: with a session, better-auth would check codes without counting wrong ones.
  app.post('/api/auth/two-factor/verify', async (c) => {
    const { code, recoveryCode } = check(verifySecondFactorRequest, await readJson(c))
    const [path, value] = code === undefined ? ['verify-backup-code', recoveryCode] : ['verify-totp', code]
    const call = { path: `two-factor/${path}`, body: { code: value }, onlyCookie: 'two_factor' }
    const response = await callLibrary(c, auth, call)
    const answer = await jsonOf<{ user: { id: string; email: string } }>(response)
    if (recoveryCode !== undefined && mailer) {
      const { recoveryCodesLeft } = await readTwoFactor(db, answer.user.id)
      void mailer.send(answer.user.email, recoveryCodeUsed({ left: recoveryCodesLeft }))
    }
    return withCookies(c, response.headers).json(answer)
  })
}

/** The library asks only for the password. Checked first, so that a wrong one does not use up the code. */
const requireBoth = async (
  c: Call,
  dependencies: Dependencies,
  { code, password }: { code: string; password?: string | undefined },
) => {
  const { enabled } = await readTwoFactor(dependencies.db, c.get('user').id)
  if (!enabled) throw refusalOf(409, { code: 'TWO_FACTOR_NOT_ENABLED' })
  await requirePassword(c, dependencies, password)
  await requireCode(c, dependencies, code)
}
