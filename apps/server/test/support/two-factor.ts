import { expect } from 'bun:test'
import { symmetricDecrypt } from 'better-auth/crypto'
import { codeAt } from '../../src/accounts/second-factor.ts'
import { PASSWORD } from './accounts.ts'
import { cookieOf, givenUser, type User } from './given.ts'
import { SECRETS, type TestService } from './service.ts'

/** The code that the user's authenticator app shows now. */
export const codeOf = async ({ db }: TestService, { email }: { email: string }) => {
  const row = await db
    .selectFrom('twoFactors')
    .innerJoin('users', 'users.id', 'twoFactors.userId')
    .select(['twoFactors.id', 'twoFactors.secret'])
    .where('users.email', '=', email)
    .executeTakeFirstOrThrow()
  const secret = await symmetricDecrypt({ key: SECRETS.sessionSecret, data: row.secret })
  return codeAt(secret, Math.floor(Date.now() / 30_000))
}

/** The same, after the step in which the last code was used: tests cannot wait 30 seconds. */
export const nextCodeOf = async (service: TestService, user: { email: string }) => {
  await service.db
    .updateTable('twoFactors')
    .set({ lastUsedStep: 0 })
    .where('userId', '=', (e) => e.selectFrom('users').select('id').where('email', '=', user.email))
    .execute()
  return codeOf(service, user)
}

export const enroll = async (service: TestService, user: User) => {
  const started = await user.call('POST', '/api/auth/two-factor/enable', { password: PASSWORD })
  expect(started.status).toBe(200)
  const confirmed = await user.call('POST', '/api/auth/two-factor/confirm', { code: await codeOf(service, user) })
  expect(confirmed.status).toBe(200)
  return withCookie(service, user, {
    cookie: cookieOf(confirmed.headers),
    recoveryCodes: started.body.data.recoveryCodes as string[],
  })
}

const withCookie = <More extends { cookie: string }>({ call }: TestService, { email }: User, more: More) => ({
  email,
  ...more,
  call: (method: string, path: string, body?: unknown) => call(method, path, body, { cookie: more.cookie }),
})

/** A user with two-factor sign-in, in the session that turned it on. */
export const givenTwoFactorUser = async (service: TestService) => enroll(service, await givenUser(service))

/** The first step of signing in. The cookie allows only the second step. */
export const signInByPassword = async ({ call }: TestService, { email }: { email: string }) => {
  const answer = await call('POST', '/api/auth/sign-in/email', { email, password: PASSWORD })
  return { ...answer, cookie: cookieOf(answer.headers) }
}

export const verify = ({ call }: TestService, cookie: string, body: object) =>
  call('POST', '/api/auth/two-factor/verify', body, { cookie })
