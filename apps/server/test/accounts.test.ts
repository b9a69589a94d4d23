import { describe, expect, test } from 'bun:test'
import { scryptSync } from 'node:crypto'
import { cookieOf, expectRefusal, givenUser } from './support/given.ts'
import { startTestService } from './support/service.ts'
import { account, signUp } from './support/sign-up.ts'
import { sized } from './support/size.ts'

const open = await startTestService({ openSignup: true })
const MANY = 8

describe('sign-up', () => {
  test('a fresh instance accepts the first account, then invitations only', async () => {
    const service = await startTestService({ openSignup: false })
    expect((await signUp(service)).status).toBe(200)
    expectRefusal(await signUp(service), 403, 'sign_up_closed')
  })

  test('stores a slow salted hash of the password, and the password signs in', async () => {
    const service = await startTestService({ openSignup: true }, { passwords: undefined })
    const { email, password } = account()
    expect((await signUp(service, { email, password })).status).toBe(200)
    expect((await service.call('POST', '/api/auth/sign-in/email', { email, password })).status).toBe(200)
    const { rows } = await service.pool.query('SELECT password FROM credentials')
    const [salt = '', kept] = rows[0].password.split(':')
    const slow = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }
    expect(kept).toBe(scryptSync(password, salt, 64, slow).toString('hex'))
  })

  test('accepts exactly one of many concurrent first accounts', async () => {
    const service = await startTestService({ openSignup: false })
    const answers = await Promise.all(Array.from({ length: MANY }, () => signUp(service)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 403, 'sign_up_closed')
    const { rows } = await service.pool.query('SELECT 1 FROM users')
    expect(rows).toHaveLength(1)
  })

  test('accepts every concurrent account on a fresh instance with OPEN_SIGNUP, the first included', async () => {
    const service = await startTestService({ openSignup: true })
    const answers = await Promise.all(Array.from({ length: MANY }, () => signUp(service)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  test('answers overloaded beyond capacity, and never claims that an account exists', async () => {
    await signUp(open)
    const answers = await Promise.all(Array.from({ length: sized({ short: 12, long: 60 }) }, () => signUp(open)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.filter(({ body }) => body.error.code !== 'overloaded').map(({ body }) => body.error)).toEqual([])
    expect(answers.length).toBeGreaterThan(refused.length)
  })

  test('answers 503 with Retry-After when the database fails mid-call', async () => {
    const blocker = await open.pool.connect()
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE users IN EXCLUSIVE MODE')
    const answer = await signUp(open)
    await blocker.query('ROLLBACK')
    blocker.release()
    expectRefusal(answer, 503, 'unavailable')
  })

  test('concurrent calls with one address create one account and one conflict', async () => {
    const { email } = account()
    const answers = await Promise.all([signUp(open, { email }), signUp(open, { email })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error.message).toContain('already exists')
  })

  test('shares a limit of 10 attempts a minute and IP with sign-in', async () => {
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

  test('a failed first account leaves the first account available', async () => {
    const service = await startTestService({ openSignup: false })
    expectRefusal(await signUp(service, { password: 'short' }), 400, 'invalid_request')
    expect((await signUp(service)).status).toBe(200)
  })

  test('and sign-in validate bodies like every other route', async () => {
    for (const path of ['/api/auth/sign-up/email', '/api/auth/sign-in/email']) {
      expectRefusal(await open.call('POST', path, '{'), 400, 'invalid_json')
      expectRefusal(
        await open.call('POST', path, { ...account(), name: 'x'.repeat(300_000) }),
        413,
        'payload_too_large',
      )
      const wrong = await open.call('POST', path, { ...account(), email: 'nonsense' })
      expectRefusal(wrong, 400, 'invalid_request')
      expect(wrong.body.error).toMatchObject({ field: 'email', message: 'email must be an email address.' })
    }
    expectRefusal(await signUp(open, { name: 'a\u0000' }), 400, 'invalid_request')
  })

  test('is open to everyone with OPEN_SIGNUP', async () => {
    for (let people = 0; people < 2; people++) expect((await signUp(open)).status).toBe(200)
  })

  test('rejects a taken email address and fields that only the service sets', async () => {
    const { email } = await givenUser(open)
    expectRefusal(await signUp(open, { email }), 409, 'conflict')
    const person = account()
    await open.call('POST', '/api/auth/sign-up/email', { ...person, isFirst: true, isDemo: true, emailVerified: true })
    const { rows } = await open.pool.query('SELECT is_demo, email_verified FROM users WHERE email = $1', [person.email])
    expect(rows.filter((row) => row.is_demo || row.email_verified)).toEqual([])
  })
})

describe('a session', () => {
  test('is stored on the server, with an HttpOnly and SameSite=Lax cookie', async () => {
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

  test('starts at sign-in and ends at sign-out', async () => {
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

  test('does not store the IP address', async () => {
    await givenUser(open)
    const { rows } = await open.pool.query("SELECT 1 FROM sessions WHERE coalesce(ip_address, '') <> ''")
    expect(rows).toHaveLength(0)
  })

  test('other routes of the account library are not exposed', async () => {
    const user = await givenUser(open)
    for (const path of ['organization/list-user-invitations', 'organization/create', 'delete-user', 'ok'])
      expectRefusal(await user.call('POST', `/api/auth/${path}`, {}), 404, 'not_found')
  })

  test('sign-in is limited to 10 attempts a minute and IP', async () => {
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
