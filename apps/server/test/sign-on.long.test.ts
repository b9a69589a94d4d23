import { afterEach, describe, expect, test } from 'bun:test'
import { readOidc } from '../src/config/oidc.ts'
import { createAccount, PASSWORD } from './support/accounts.ts'
import { cookieOf, expectRefusal, givenProgram, givenUser, type User, unique } from './support/given.ts'
import { type Person, startIdentityProvider } from './support/identity-provider.ts'
import { givenRole } from './support/money.ts'
import { startTestService, type TestService } from './support/service.ts'
import { givenTwoFactorUser, nextCodeOf, verify } from './support/two-factor.ts'

const provider = await startIdentityProvider()
const service = await startTestService({ oidc: provider.settings })
const strict = await startTestService({ oidc: { ...provider.settings, allowedDomains: ['acme.example'] } })
const without = await startTestService()
const { workspaceId } = await givenProgram(service)

afterEach(() => {
  Object.assign(provider.state, { forgery: {}, isDown: false, issuer: undefined })
})

const START = '/api/auth/sign-in/oidc'
const HOME = 'http://localhost:3000'
const personOf = (email: string): Person => ({ sub: unique('sub'), email, email_verified: true, name: 'Ada' })

const get = (on: TestService, path: string, cookie: string) =>
  fetch(on.url + path, { headers: { cookie }, redirect: 'manual' })

const start = async (on: TestService, body: object = {}) => {
  const { status, headers, body: answer } = await on.call('POST', START, body)
  expect(status).toBe(200)
  return { cookie: cookieOf(headers), url: answer.data.url as string }
}

/** Signs in at the provider and returns: where the browser ends, and with which cookies. */
const signOn = async (person: Person, { on = service, next = undefined as string | undefined } = {}) => {
  const { cookie, url } = await start(on, next ? { next } : {})
  const { path } = provider.agree(url, person)
  const { status, headers } = await get(on, path, cookie)
  expect(status).toBe(302)
  return { location: headers.get('location'), cookie: cookieOf(headers), path, before: cookie }
}
const meWith = async (cookie: string, on = service) => {
  const { status, body } = await on.call('GET', '/api/me', undefined, { cookie })
  return status === 200 ? body.data : status
}
const problem = (code: string) => `${HOME}/sign-in?problem=${code}`
const accountsOf = async (email: string) =>
  (await service.pool.query('SELECT id, is_first FROM users WHERE email = $1', [email])).rows

const givenMember = async (role = 'admin') => {
  const user = await givenUser(service)
  await givenRole(service, workspaceId, user, role)
  return user
}
const invite = async (owner: User, email: string, role = 'viewer') =>
  (await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email, role })).status

describe('sign-in with the identity provider', () => {
  test('signs in a member, who keeps their password, and stores no tokens', async () => {
    const member = await givenMember()
    const person = personOf(member.email.toUpperCase())
    const { location, cookie } = await signOn(person, { next: '/programs/1' })
    expect(location).toBe(`${HOME}/programs/1`)
    expect(await meWith(cookie)).toMatchObject({ user: { email: member.email }, workspaces: [{ id: workspaceId }] })
    expect((await member.call('GET', '/api/me')).status).toBe(200)
    const again = await signOn(person)
    expect([again.location, (await meWith(again.cookie)).user.email]).toEqual([`${HOME}/`, member.email])
    const { rows } = await service.pool.query(
      `SELECT access_token, refresh_token, id_token FROM credentials WHERE account_id = $1`,
      [person.sub],
    )
    expect(rows).toEqual([{ access_token: null, refresh_token: null, id_token: null }])
  })

  test('asks with state, nonce and PKCE, and each answer works once, in the same browser', async () => {
    const member = await givenMember()
    const { cookie, url } = await start(service)
    const { asked, path } = provider.agree(url, personOf(member.email))
    expect(asked).toMatchObject({
      client_id: 'tributary',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${HOME}/api/auth/callback/oidc`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThan(20)
    expect((await get(service, path, '')).headers.get('location')).toBe(problem('failed'))
    const wrongState = path.replace(/state=\w+/, 'state=guessed')
    expect((await get(service, wrongState, cookie)).headers.get('location')).toBe(problem('failed'))
    expect((await get(service, path, cookie)).headers.get('location')).toBe(`${HOME}/`)
    expect((await get(service, path, cookie)).headers.get('location')).toBe(problem('failed'))
  })

  test.each([
    ['another nonce', { claims: { nonce: 'x' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another client', { claims: { aud: 'another-client' } }],
    ['an expired token', { claims: { exp: 1 } }],
    ['another key', { isSignedByAnother: true }],
  ])('refuses %s', async (_, forgery) => {
    provider.state.forgery = forgery
    const { email } = await givenMember()
    const { location, cookie } = await signOn(personOf(email))
    expect(location).toBe(problem('failed'))
    expect(await meWith(cookie)).toBe(401)
  })

  test('links only addresses that the provider has verified', async () => {
    const { email } = await givenMember()
    for (const email_verified of [false, undefined]) {
      const { location, cookie } = await signOn({ ...personOf(email), email_verified } as Person)
      expect([location, await meWith(cookie)]).toEqual([problem('email_not_verified'), 401])
    }
    const { rows } = await service.pool.query(`SELECT 1 FROM credentials JOIN users ON users.id = user_id
      WHERE email = '${email}' AND provider_id = 'oidc'`)
    expect(rows).toEqual([])
  })

  test('does not replace the second factor', async () => {
    const user = await givenTwoFactorUser(service)
    await givenRole(service, workspaceId, user, 'admin')
    const { location, cookie } = await signOn(personOf(user.email))
    expect([location, await meWith(cookie)]).toEqual([`${HOME}/sign-in?step=code&next=%2F`, 401])
    const second = await verify(service, cookie, { code: await nextCodeOf(service, user) })
    expect((await meWith(cookieOf(second.headers))).user.email).toBe(user.email)
  })

  test('goes only to pages of the dashboard', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:x'])
      expectRefusal(await service.call('POST', START, { next }), 400, 'invalid_request')
  })
})

describe('people who are not members', () => {
  test('are refused without an invitation, and no account is created', async () => {
    const email = `${unique('stranger')}@example.com`
    const { location, cookie } = await signOn(personOf(email))
    expect([location, await meWith(cookie)]).toEqual([problem('not_invited'), 401])
    expect(await accountsOf(email)).toEqual([])
  })

  test('join the workspace that invited their address, with the invited role', async () => {
    const owner = await givenMember('owner')
    const email = `${unique('invited')}@example.com`
    expect(await invite(owner, email)).toBe(201)
    const { cookie } = await signOn(personOf(email))
    expect((await meWith(cookie)).workspaces).toMatchObject([{ id: workspaceId, role: 'viewer' }])
    expect(await accountsOf(email)).toMatchObject([{ is_first: false }])
    const { rows } = await service.pool.query(
      `SELECT subject FROM audit_entries WHERE workspace_id = $1 AND action = 'member joined' ORDER BY id DESC LIMIT 1`,
      [workspaceId],
    )
    expect(rows).toEqual([{ subject: `member ${email}` }])
  })

  test('do not take over, or share, an account that someone else created with their address', async () => {
    const owner = await givenMember('owner')
    const { email } = await createAccount(service.db)
    expect(await invite(owner, email)).toBe(201)
    expect((await signOn(personOf(email))).location).toBe(problem('not_invited'))
    const { status } = await service.call('POST', '/api/auth/sign-in/email', { email, password: PASSWORD })
    expect(status).toBe(200)
  })

  test('never become the first account or an owner of a new instance', async () => {
    const email = `${unique('first')}@acme.example`
    expect((await signOn(personOf(email), { on: strict })).location).toBe(problem('not_invited'))
    const { rows } = await strict.pool.query('SELECT 1 FROM users')
    expect(rows).toEqual([])
  })
})

test('only allowed domains sign in', async () => {
  const { workspaceId } = await givenProgram(strict)
  for (const [email, location] of [
    [`${unique('one')}@acme.example`, `${HOME}/`],
    [`${unique('one')}@acme.example.evil.example`, problem('domain_not_allowed')],
    [`${unique('one')}@notacme.example`, problem('domain_not_allowed')],
  ] as const) {
    const { id: userId } = await createAccount(strict.db, { email })
    const member = { id: unique('member'), organizationId: workspaceId, userId, role: 'viewer' }
    await strict.db.insertInto('members').values(member).execute()
    expect((await signOn(personOf(email), { on: strict })).location).toBe(location)
  }
})

describe('an identity provider', () => {
  test('that is down or calls itself something else does not stop the service, and is tried again', async () => {
    provider.state.isDown = true
    const late = await startTestService({ oidc: provider.settings })
    expectRefusal(await late.call('POST', START, {}), 503, 'unavailable')
    Object.assign(provider.state, { isDown: false, issuer: 'https://other.example' })
    expectRefusal(await late.call('POST', START, {}), 503, 'unavailable')
    provider.state.issuer = undefined
    expect((await late.call('POST', START, {})).status).toBe(200)
  })

  test('that is not configured is not offered', async () => {
    expectRefusal(await without.call('POST', START, {}), 404, 'not_found')
    expectRefusal(await without.call('GET', '/api/auth/callback/oidc?code=x&state=y'), 404, 'not_found')
  })

  test('is configured completely or not at all', () => {
    const env = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' }
    expect(readOidc(env)).toMatchObject({ name: 'single sign-on', allowedDomains: [] })
    expect(readOidc({ ...env, OIDC_ALLOWED_DOMAINS: 'Acme.example, b.example' })?.allowedDomains).toEqual([
      'acme.example',
      'b.example',
    ])
    for (const wrong of [
      { OIDC_CLIENT_SECRET: '' },
      { OIDC_ISSUER: 'http://login.example.com' },
      { OIDC_ISSUER: 'login.example.com' },
      { OIDC_ALLOWED_DOMAINS: '@acme.example' },
    ])
      expect(() => readOidc({ ...env, ...wrong })).toThrow(/OIDC_/)
  })
})
