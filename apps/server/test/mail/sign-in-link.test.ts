import { describe, expect, test } from 'bun:test'
import { until } from '../lifecycle/given-service.ts'
import { createAccount, PASSWORD } from '../support/accounts.ts'
import { cookieOf, expectRefusal, givenUser, unique } from '../support/given.ts'
import { startTestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'
import { givenTwoFactorUser, nextCodeOf, verify } from '../support/two-factor.ts'

const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail, openSignup: false })
const without = await startTestService()
const limited = await startTestService({ mail: smtp.mail, rateLimits: true }, { callsPerMinute: { signIn: 2 } })
limited.clock.stop()

// The first account is special; the others are not.
await givenUser(service)

const LINK = '/api/auth/sign-in/link'
const request = (email: string, more: object = {}) => service.call('POST', LINK, { email, ...more })
const confirm = (token: string) => service.call('POST', `${LINK}/confirm`, { token })
const emailsTo = (email: string) => smtp.received.filter(({ to }) => to === email)

const linkTo = async ({ email }: { email: string }) => {
  const before = emailsTo(email).length
  expect((await request(email)).body).toEqual({ status: true })
  await until(async () => emailsTo(email).length > before)
  const address = new URL(/https?:\S+/.exec(emailsTo(email).at(-1)?.text ?? '')?.[0] ?? '')
  return { address, token: address.searchParams.get('token') ?? '' }
}
const meWith = (headers: Headers) => service.call('GET', '/api/me', undefined, { cookie: cookieOf(headers) })

describe('a sign-in link', () => {
  test('signs in once, even for two concurrent requests', async () => {
    const user = await givenUser(service)
    const { address, token } = await linkTo(user)
    expect(address.origin + address.pathname).toBe('http://localhost:3000/sign-in/link')
    const answers = await Promise.all([confirm(token), confirm(token)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
    const signedIn = answers.find(({ status }) => status === 200)
    expect((await meWith(signedIn?.headers ?? new Headers())).body.data.user.email).toBe(user.email)
    expectRefusal(await confirm(token), 404, 'not_found')
  })

  test('is not used up when a mail scanner opens it', async () => {
    const { address, token } = await linkTo(await givenUser(service))
    const path = address.pathname + address.search
    for (const method of ['GET', 'HEAD']) await fetch(service.url + path, { method, headers: { accept: 'text/html' } })
    for (const path of [`${LINK}/confirm?token=${token}`, `/api/auth/magic-link/verify?token=${token}`]) {
      const { status, headers } = await service.call('GET', path)
      expect([status, headers.getSetCookie()]).toEqual([path.startsWith(LINK) ? 405 : 404, []])
    }
    expect((await confirm(token)).status).toBe(200)
  })

  test('expires after 10 minutes and is stored only as a hash', async () => {
    const user = await givenUser(service)
    const { token } = await linkTo(user)
    const { rows } = await service.pool.query(
      `UPDATE verifications SET expires_at = expires_at - interval '10 minutes' WHERE value LIKE $1
       RETURNING identifier, value, expires_at > now() - interval '1 minute' AS is_recent`,
      [`%${user.email}%`],
    )
    expect(rows).toMatchObject([{ is_recent: true }])
    expect(JSON.stringify(rows)).not.toContain(token)
    expectRefusal(await confirm(token), 404, 'not_found')
  })

  test('answers the same for an unknown address, sends nothing and creates no account', async () => {
    const email = `${unique('stranger')}@example.com`
    const known = await request((await givenUser(service)).email)
    const unknown = await request(email)
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    // An email that was sent later arrived, so one for the stranger would have too.
    await linkTo(await givenUser(service))
    expect(emailsTo(email)).toEqual([])
    const { rows } = await service.pool.query('SELECT 1 FROM users WHERE email = $1', [email])
    expect(rows).toEqual([])
  })

  test('does not replace the second factor', async () => {
    const user = await givenTwoFactorUser(service)
    const { token } = await linkTo(user)
    const first = await confirm(token)
    expect(first.body).toEqual({ twoFactorRequired: true })
    expect((await meWith(first.headers)).status).toBe(401)
    const second = await verify(service, cookieOf(first.headers), { code: await nextCodeOf(service, user) })
    expect((await meWith(second.headers)).status).toBe(200)
  })

  test('ignores redirect addresses and names', async () => {
    const { email } = await givenUser(service)
    const evil = { callbackURL: 'https://evil.example/', name: 'Mallory', newUserCallbackURL: 'https://evil.example/' }
    const { headers } = await request(email, evil)
    expect(headers.get('location')).toBeNull()
    await until(async () => emailsTo(email).length > 0)
    expect(emailsTo(email)[0]?.raw).not.toContain('evil')
    expectRefusal(await request('no address'), 400, 'invalid_request')
    for (const token of ['a guess', '../x', '%00']) expectRefusal(await confirm(token), 404, 'not_found')
  })

  test('is not offered without a mail server, and is limited like sign-in', async () => {
    for (const [path, body] of [
      [LINK, { email: 'a@example.com' }],
      [`${LINK}/confirm`, { token: 'x' }],
    ] as const)
      expectRefusal(await without.call('POST', path, body), 404, 'not_found')
    for (let calls = 0; calls < 2; calls++)
      expect((await limited.call('POST', LINK, { email: 'a@example.com' })).status).toBe(200)
    expectRefusal(await limited.call('POST', LINK, { email: 'a@example.com' }), 429, 'rate_limited')
  })
})

describe('an address that was never confirmed', () => {
  const signIn = (email: string) => service.call('POST', '/api/auth/sign-in/email', { email, password: PASSWORD })

  test('loses the password and sessions that its creator set up', async () => {
    const squatter = await givenUser(service)
    const { token } = await linkTo(squatter)
    expect((await confirm(token)).status).toBe(200)
    expectRefusal(await squatter.call('GET', '/api/me'), 401, 'unauthenticated')
    expectRefusal(await signIn(squatter.email), 401, 'invalid_credentials')
  })

  test('ends them for a member of a workspace too, because anyone can create one', async () => {
    const { email, id } = await createAccount(service.db)
    const workspaceId = unique('workspace')
    await service.db.insertInto('workspaces').values({ id: workspaceId, name: 'Acme', slug: workspaceId }).execute()
    const member = { id: unique('member'), organizationId: workspaceId, userId: id, role: 'viewer' }
    await service.db.insertInto('members').values(member).execute()
    const { token } = await linkTo({ email })
    expect((await confirm(token)).status).toBe(200)
    expectRefusal(await signIn(email), 401, 'invalid_credentials')
  })
})
