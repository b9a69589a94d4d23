import { describe, expect, test } from 'bun:test'
import { scryptSync } from 'node:crypto'
import { cookieOf, expectRefusal, givenUser } from './support/given.ts'
import { startTestService } from './support/service.ts'
import { account, signUp } from './support/sign-up.ts'
import { sized } from './support/size.ts'

const open = await startTestService({ openSignup: true })
const MANY = 8

describe('sign-up', () => {
  test('on a fresh instance the first account may sign up; after that only by invitation', async () => {
    const service = await startTestService({ openSignup: false })
    expect((await signUp(service)).status).toBe(200)
    expectRefusal(await signUp(service), 403, 'sign_up_closed')
  })

  test('keeps a password as a salted hash that is slow to try, and signs in by it', async () => {
    const service = await startTestService({ openSignup: true }, { passwords: undefined })
    const { email, password } = account()
    expect((await signUp(service, { email, password })).status).toBe(200)
    expect((await service.call('POST', '/api/auth/sign-in/email', { email, password })).status).toBe(200)
    const { rows } = await service.pool.query('SELECT password FROM credentials')
    const [salt = '', kept] = rows[0].password.split(':')
    const slow = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }
    expect(kept).toBe(scryptSync(password, salt, 64, slow).toString('hex'))
  })

  test('of many at once on a fresh instance lets in exactly one', async () => {
    const service = await startTestService({ openSignup: false })
    const answers = await Promise.all(Array.from({ length: MANY }, () => signUp(service)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 403, 'sign_up_closed')
    const { rows } = await service.pool.query('SELECT 1 FROM users')
    expect(rows).toHaveLength(1)
  })

  test('of many at once on a fresh instance that is open lets in all, the first as well', async () => {
    const service = await startTestService({ openSignup: true })
    const answers = await Promise.all(Array.from({ length: MANY }, () => signUp(service)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  test('of more at once than can be served refuses some as busy, and nobody as known', async () => {
    await signUp(open)
    const answers = await Promise.all(Array.from({ length: sized({ short: 12, long: 60 }) }, () => signUp(open)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.filter(({ body }) => body.error.code !== 'overloaded').map(({ body }) => body.error)).toEqual([])
    expect(answers.length).toBeGreaterThan(refused.length)
  })

  test('with a database that fails in mid-call is told to try again', async () => {
    const blocker = await open.pool.connect()
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE users IN EXCLUSIVE MODE')
    const answer = await signUp(open)
    await blocker.query('ROLLBACK')
    blocker.release()
    expectRefusal(answer, 503, 'unavailable')
  })

  test('of one address twice at once is one account and one conflict', async () => {
    const { email } = account()
    const answers = await Promise.all([signUp(open, { email }), signUp(open, { email })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error.message).toContain('already exists')
  })

  test('takes 10 attempts a minute and IP, together with sign-in', async () => {
    const service = await startTestService({ rateLimits: true, openSignup: true })
    service.clock.stop()
    for (let attempts = 0; attempts < 9; attempts++)
      expectRefusal(await signUp(service, { password: 'short' }), 400, 'invalid_request')
    expect((await signUp(service)).status).toBe(200)
    const refused = await signUp(service)
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expectRefusal(await service.call('POST', '/api/auth/sign-in/email', account()), 429, 'rate_limited')
    service.clock.advance(60_000)
    expect((await signUp(service)).status).toBe(200)
  })

  test('of the first account fails without using up its place', async () => {
    const service = await startTestService({ openSignup: false })
    expectRefusal(await signUp(service, { password: 'short' }), 400, 'invalid_request')
    expect((await signUp(service)).status).toBe(200)
  })

  test('and sign-in follow the rules of every other body', async () => {
    for (const path of ['/api/auth/sign-up/email', '/api/auth/sign-in/email']) {
      expectRefusal(await open.call('POST', path, '{'), 400, 'invalid_json')
      expectRefusal(
        await open.call('POST', path, { ...account(), name: 'x'.repeat(300_000) }),
        413,
        'payload_too_large',
      )
      const wrong = await open.call('POST', path, { ...account(), email: 'nonsense' })
      expectRefusal(wrong, 400, 'invalid_request')
      expect(wrong.body.error).toMatchObject({ field: 'email', message: 'email must be an e-mail address.' })
    }
    expectRefusal(await signUp(open, { name: 'a\u0000' }), 400, 'invalid_request')
  })

  test('is open with OPEN_SIGNUP', async () => {
    for (let people = 0; people < 2; people++) expect((await signUp(open)).status).toBe(200)
  })

  test('refuses a taken e-mail, and fields that only the service sets', async () => {
    const { email } = await givenUser(open)
    expectRefusal(await signUp(open, { email }), 409, 'conflict')
    const person = account()
    await open.call('POST', '/api/auth/sign-up/email', { ...person, isFirst: true, isDemo: true, emailVerified: true })
    const { rows } = await open.pool.query('SELECT is_demo, email_verified FROM users WHERE email = $1', [person.email])
    expect(rows.filter((row) => row.is_demo || row.email_verified)).toEqual([])
  })
})

describe('a session', () => {
  test('is a server-side one, in a cookie that is HttpOnly and SameSite=Lax', async () => {
    const { headers } = await signUp(open)
    const [cookie] = headers.getSetCookie().filter((line) => line.startsWith('tributary.session_token='))
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    expect(cookie).not.toMatch(/Secure/i)
  })

  test('is Secure on https', async () => {
    const service = await startTestService({ baseUrl: 'https://track.example.com' })
    const { headers } = await signUp(service)
    const [cookie] = headers.getSetCookie().filter((line) => line.includes('session_token='))
    expect(cookie).toMatch(/;\s*Secure/i)
  })

  test('begins with sign-in and ends with sign-out', async () => {
    const person = account()
    await open.call('POST', '/api/auth/sign-up/email', person)
    expectRefusal(
      await open.call('POST', '/api/auth/sign-in/email', { ...person, password: 'a wrong password' }),
      401,
      'invalid_credentials',
    )
    expectRefusal(
      await open.call('POST', '/api/auth/sign-in/email', { ...person, email: 'nobody@example.com' }),
      401,
      'invalid_credentials',
    )
    const signedIn = await open.call('POST', '/api/auth/sign-in/email', person)
    expect(signedIn.status).toBe(200)
    const cookie = cookieOf(signedIn.headers)
    expect((await open.call('GET', '/api/workspaces', undefined, { cookie })).status).toBe(200)
    expect((await open.call('POST', '/api/auth/sign-out', {}, { cookie })).status).toBe(200)
    expectRefusal(await open.call('GET', '/api/workspaces', undefined, { cookie }), 401, 'unauthenticated')
  })

  test('keeps no IP address', async () => {
    await givenUser(open)
    const { rows } = await open.pool.query("SELECT 1 FROM sessions WHERE coalesce(ip_address, '') <> ''")
    expect(rows).toHaveLength(0)
  })

  test('other calls of the account library are not part of the API', async () => {
    const user = await givenUser(open)
    for (const path of [
      'organization/list-user-invitations',
      'organization/create',
      'delete-user',
      'change-email',
      'ok',
    ])
      expectRefusal(await user.call('POST', `/api/auth/${path}`, {}), 404, 'not_found')
  })

  test('sign-in takes 10 attempts a minute and IP', async () => {
    const service = await startTestService({ rateLimits: true })
    service.clock.stop()
    const attempt = () =>
      service.call('POST', '/api/auth/sign-in/email', { email: 'nobody@example.com', password: 'a guess at it' })
    for (let attempts = 0; attempts < 10; attempts++) expectRefusal(await attempt(), 401, 'invalid_credentials')
    const refused = await attempt()
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    service.clock.advance(60_000)
    expectRefusal(await attempt(), 401, 'invalid_credentials')
  })
})
