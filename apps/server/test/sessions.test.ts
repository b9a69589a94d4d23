import { describe, expect, test } from 'bun:test'
import { DASHBOARD_CALLS_PER_MINUTE } from '@tributary/contract'
import { expectRefusal, givenUser, givenWorkspace } from './support/given.ts'
import { startTestService } from './support/service.ts'
import { givenService } from './support/shared-service.ts'
import { sized } from './support/size.ts'

const service = await givenService()
/** rate-limits.test.ts covers the contract's number without HTTP. */
const MOST_CALLS = sized({ short: 100, long: DASHBOARD_CALLS_PER_MINUTE })
const limited = await startTestService(
  { rateLimits: true },
  { callsPerMinute: { user: MOST_CALLS, visitor: MOST_CALLS } },
)
limited.clock.stop()
const PASSWORD = 'a long password' // from given.ts

const cookieIn = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

const signIn = (email: string, cookie?: string) =>
  service.call('POST', '/api/auth/sign-in/email', { email, password: PASSWORD }, cookie ? { cookie } : {})

const workspacesSeenWith = async (cookie: string) => {
  const { status, body } = await service.call('GET', '/api/workspaces', undefined, { cookie })
  return status === 200 ? body.data.map(({ id }: { id: string }) => id) : status
}

describe('a session', () => {
  test('is created at every sign-in: a cookie planted before is worthless afterwards', async () => {
    const victim = await givenUser(service)
    const workspace = await givenWorkspace(victim)
    const planted = 'tributary.session_token=chosen-by-an-attacker.AAAA'
    const { status, headers } = await signIn(victim.email, planted)
    expect(status).toBe(200)
    expect(cookieIn(headers)).not.toContain('chosen-by-an-attacker')
    expect(await workspacesSeenWith(cookieIn(headers))).toEqual([workspace])
    expect(await workspacesSeenWith(planted)).toBe(401)
  })

  test('of another user that was planted stays theirs', async () => {
    const [victim, attacker] = [await givenUser(service), await givenUser(service)]
    const workspace = await givenWorkspace(victim)
    const { headers } = await signIn(victim.email, attacker.cookie)
    expect(cookieIn(headers)).not.toBe(attacker.cookie)
    expect(await workspacesSeenWith(cookieIn(headers))).toEqual([workspace])
    expect(await workspacesSeenWith(attacker.cookie)).toEqual([])
  })

  test('ends on the server at sign-out, not only in the browser', async () => {
    const user = await givenUser(service)
    expect(await workspacesSeenWith(user.cookie)).toEqual([])
    expect((await user.call('POST', '/api/auth/sign-out', {})).status).toBe(200)
    expect(await workspacesSeenWith(user.cookie)).toBe(401)
  })

  test('is read from its cookie only, complete and signed', async () => {
    const { cookie } = await givenUser(service)
    const value = decodeURIComponent(cookie.split('=')[1] ?? '')
    const [token = ''] = value.split('.')
    for (const forged of [`tributary.session_token=${token}`, `tributary.session_token=${token}.${'A'.repeat(44)}`])
      expect(await workspacesSeenWith(forged)).toBe(401)
    for (const authorization of [`Bearer ${token}`, `Bearer ${value}`])
      expectRefusal(await service.call('GET', '/api/workspaces', undefined, { authorization }), 401, 'unauthenticated')
    expectRefusal(await service.call('GET', `/api/workspaces?session_token=${token}`), 401, 'unauthenticated')
  })

  test('has a cookie that scripts cannot read and other sites cannot send', async () => {
    const user = await givenUser(service)
    const { headers } = await signIn(user.email)
    expect(headers.getSetCookie().join()).toMatch(/HttpOnly/i)
    expect(headers.getSetCookie().join()).toMatch(/SameSite=Lax/i)
  })

  test('cannot be used by a page of another site, nor by one that hides its origin', async () => {
    const { cookie } = await givenUser(service)
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000.evil.example', 'file://'])
      expectRefusal(
        await service.call('POST', '/api/workspaces', { name: 'forged' }, { cookie, origin }),
        403,
        'origin_not_allowed',
      )
    expect(await workspacesSeenWith(cookie)).toEqual([])
  })

  test('cannot be used by a browser that names another site as the sender but sends no origin', async () => {
    const { cookie } = await givenUser(service)
    const create = (site: string) =>
      service.call('POST', '/api/workspaces', { name: 'W' }, { cookie, 'sec-fetch-site': site })
    for (const site of ['cross-site', 'same-site']) expectRefusal(await create(site), 403, 'origin_not_allowed')
    expectRefusal(
      await service.call('POST', '/api/auth/sign-out', {}, { cookie, 'sec-fetch-site': 'cross-site' }),
      403,
      'origin_not_allowed',
    )
    expect(await workspacesSeenWith(cookie)).toEqual([])
    for (const site of ['same-origin', 'none']) expect((await create(site)).status).toBe(201)
  })
})

describe('a redirect address', () => {
  test('is never taken from the call: not into a header, not into the response', async () => {
    const { email, cookie } = await givenUser(service)
    const evil = { callbackURL: 'https://evil.example/', redirectTo: 'https://evil.example/' }
    const calls: [string, object, Record<string, string>][] = [
      ['sign-in/email', { email, password: PASSWORD }, {}],
      ['sign-up/email', { name: 'x', email: `new-${email}`, password: PASSWORD }, {}],
      ['update-user', { name: 'x' }, { cookie }],
      ['sign-out', {}, { cookie }],
    ]
    for (const [path, body, headers] of calls) {
      const query = new URLSearchParams(evil)
      const answer = await service.call('POST', `/api/auth/${path}?${query}`, { ...body, ...evil }, headers)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('location')).toBeNull()
      expect(JSON.stringify(answer.body)).not.toContain('evil.example')
    }
  })
})

describe('calls with a session', () => {
  test('are limited per user across sessions, without affecting other users', async () => {
    const [one, other] = [await givenUser(limited), await givenUser(limited)]
    const again = await limited.call('POST', '/api/auth/sign-in/email', { email: one.email, password: PASSWORD })
    const cookies = [one.cookie, cookieIn(again.headers)]
    const ask = (cookie = '') => limited.call('GET', '/api/me', undefined, { cookie })
    for (let calls = 0; calls < MOST_CALLS; calls += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => ask(cookies[index % 2])))
    const refused = await ask(cookies[1])
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await other.call('GET', '/api/me')).status).toBe(200)
    limited.clock.advance(60_000)
    expect((await ask(cookies[0])).status).toBe(200)
  })

  test('are also limited when they ask who is signed in', async () => {
    const [one, other] = [await givenUser(limited), await givenUser(limited)]
    const ask = () => one.call('GET', '/api/auth/get-session')
    for (let calls = 0; calls < MOST_CALLS; calls += 100) await Promise.all(Array.from({ length: 100 }, ask))
    expectRefusal(await ask(), 429, 'rate_limited')
    expectRefusal(await one.call('GET', '/api/me'), 429, 'rate_limited')
    expect((await other.call('GET', '/api/auth/get-session')).body.user.email).toBe(other.email)
    limited.clock.advance(60_000)
    expect((await ask()).status).toBe(200)
  })

  test('that need no session are limited by address', async () => {
    limited.clock.advance(60_000)
    const paths = [
      '/api/auth/get-session',
      '/api/invitations/unknown',
      '/api/public/partner-invitations/unknown',
      '/api/public/programs/1/application',
    ]
    const askAll = () => Promise.all(paths.map((path) => limited.call('GET', path)))
    for (let calls = 0; calls < MOST_CALLS; calls += 100) await Promise.all(Array.from({ length: 25 }, askAll))
    for (const answer of await askAll()) expectRefusal(answer, 429, 'rate_limited')
    limited.clock.advance(60_000)
    expect((await limited.call('GET', '/api/auth/get-session')).status).toBe(200)
  })

  test('without a valid session are limited by address', async () => {
    const ask = () =>
      limited.call('GET', '/api/workspaces', undefined, { cookie: 'tributary.session_token=guess.AAAA' })
    for (let calls = 0; calls < MOST_CALLS; calls += 100) await Promise.all(Array.from({ length: 100 }, ask))
    const refused = await ask()
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
