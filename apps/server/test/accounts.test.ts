import { describe, expect, test } from 'bun:test'
import { expectRefusal, givenUser, givenWorkspace, type User, unique } from './support/given.ts'
import { startTestService, type TestService } from './support/service.ts'

const open = await startTestService({ openSignup: true })
const account = () => ({ name: 'Somebody', email: `${unique('person')}@example.com`, password: 'a long password' })
const signUp = ({ call }: TestService, more: object = {}) =>
  call('POST', '/api/auth/sign-up/email', { ...account(), ...more })
const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

describe('sign-up', () => {
  test('on a fresh instance the first account may sign up; after that only by invitation', async () => {
    const service = await startTestService({ openSignup: false })
    expect((await signUp(service)).status).toBe(200)
    expectRefusal(await signUp(service), 403, 'sign_up_closed')
  })

  test('of many at once on a fresh instance lets in exactly one', async () => {
    const service = await startTestService({ openSignup: false })
    const answers = await Promise.all(Array.from({ length: 8 }, () => signUp(service)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 403, 'sign_up_closed')
    const { rows } = await service.pool.query('SELECT 1 FROM users')
    expect(rows).toHaveLength(1)
  })

  test('of many at once on a fresh instance that is open lets in all, the first as well', async () => {
    const service = await startTestService({ openSignup: true })
    const answers = await Promise.all(Array.from({ length: 8 }, () => signUp(service)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  test('of more at once than can be served refuses some as busy, and nobody as known', async () => {
    await signUp(open)
    const answers = await Promise.all(Array.from({ length: 60 }, () => signUp(open)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.filter(({ body }) => body.error.code !== 'overloaded').map(({ body }) => body.error)).toEqual([])
    expect(answers.length - refused.length).toBeGreaterThan(8)
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

describe('an invitation', () => {
  const invite = async (owner: User, workspaceId: string, role: string) => {
    const email = `${unique('invited')}@example.com`
    const { status, body } = await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email, role })
    expect(status).toBe(201)
    return { email, ...body.data } as { id: string; email: string; url: string; status: string }
  }

  test('is a link with which somebody signs up and joins with the role they were given', async () => {
    const service = await startTestService({ openSignup: false })
    const owner = await givenUser(service)
    const workspaceId = await givenWorkspace(owner)
    const invitation = await invite(owner, workspaceId, 'viewer')
    expect(invitation.url).toBe(`http://localhost:3000/invite/${invitation.id}`)
    expect((await fetch(`${service.url}/invite/${invitation.id}`)).status).toBe(200)
    expect((await service.call('GET', `/api/invitations/${invitation.id}`)).body.data).toMatchObject({
      email: invitation.email,
      role: 'viewer',
    })

    expectRefusal(await signUp(service, { email: invitation.email }), 403, 'sign_up_closed')
    expectRefusal(await signUp(service, { invitationId: invitation.id }), 403, 'sign_up_closed')
    expectRefusal(await signUp(service, { email: invitation.email, invitationId: 'a guess' }), 403, 'sign_up_closed')
    const joined = await signUp(service, { email: invitation.email, invitationId: invitation.id })
    expect(joined.status).toBe(200)
    const cookie = cookieOf(joined.headers)
    const accepted = await service.call('POST', `/api/invitations/${invitation.id}/accept`, {}, { cookie })
    expect(accepted).toMatchObject({ status: 200, body: { data: { id: workspaceId, role: 'viewer' } } })

    expectRefusal(
      await service.call('POST', `/api/invitations/${invitation.id}/accept`, {}, { cookie }),
      404,
      'not_found',
    )
    expectRefusal(await service.call('POST', '/api/programs', { name: 'x' }, { cookie }), 403, 'forbidden')
    expect((await owner.call('GET', `/api/workspaces/${workspaceId}/members`)).body.data).toMatchObject([
      { role: 'owner' },
      { role: 'viewer' },
    ])
  })

  test('is of no use to somebody with another e-mail, after it was withdrawn, or after a week', async () => {
    const service = await startTestService()
    const [owner, other] = [await givenUser(service), await givenUser(service)]
    const workspaceId = await givenWorkspace(owner)
    const invitation = await invite(owner, workspaceId, 'admin')
    expectRefusal(await other.call('POST', `/api/invitations/${invitation.id}/accept`, {}), 403, 'forbidden')
    const withdrawn = await owner.call('DELETE', `/api/workspaces/${workspaceId}/invitations/${invitation.id}`)
    expect(withdrawn.body.data).toMatchObject({ status: 'canceled' })
    expectRefusal(await service.call('GET', `/api/invitations/${invitation.id}`), 404, 'not_found')
    expect((await fetch(`${service.url}/invite/${invitation.id}`)).status).toBe(404)

    const late = await invite(owner, workspaceId, 'admin')
    service.clock.advance(8 * 86_400_000)
    expectRefusal(await service.call('GET', `/api/invitations/${late.id}`), 404, 'not_found')
  })

  test('sent again it is the same one; for another role it is another, and the first is withdrawn', async () => {
    const owner = await givenUser(open)
    const workspaceId = await givenWorkspace(owner)
    const email = `${unique('Again')}@Example.com`
    const invited = async (role: string) =>
      (await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email, role })).body.data
    const viewer = await invited('viewer')
    expect(await invited('viewer')).toMatchObject({ id: viewer.id, role: 'viewer' })
    const admin = await invited('admin')
    expect(admin.role).toBe('admin')
    expectRefusal(await open.call('GET', `/api/invitations/${viewer.id}`), 404, 'not_found')
    expect((await open.call('GET', `/api/invitations/${admin.id}`)).body.data.role).toBe('admin')
  })

  test('cannot make an owner, and only who manages members may send one', async () => {
    const owner = await givenUser(open)
    const workspaceId = await givenWorkspace(owner)
    const path = `/api/workspaces/${workspaceId}/invitations`
    expectRefusal(await owner.call('POST', path, { email: 'a@example.com', role: 'owner' }), 400, 'invalid_request')
    expectRefusal(await owner.call('POST', path, { email: 'nonsense' }), 400, 'invalid_request')
  })
})

describe('members', () => {
  const givenMember = async (owner: User, workspaceId: string, role: string) => {
    const user = await givenUser(open)
    const { body } = await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email: user.email, role })
    expect((await user.call('POST', `/api/invitations/${body.data.id}/accept`, {})).status).toBe(200)
    const members = (await owner.call('GET', `/api/workspaces/${workspaceId}/members`)).body.data as {
      id: string
      email: string
    }[]
    return { ...user, memberId: members.find(({ email }) => email === user.email)?.id }
  }

  test('get the permissions of their role, and lose them with it', async () => {
    const owner = await givenUser(open)
    const workspaceId = await givenWorkspace(owner)
    const programId = (await owner.call('POST', '/api/programs', { workspaceId, name: 'P' })).body.data.id
    const member = await givenMember(owner, workspaceId, 'viewer')
    const partners = () => member.call('POST', `/api/programs/${programId}/partners`, { name: unique('Partner') })
    const path = `/api/workspaces/${workspaceId}/members/${member.memberId}`

    expectRefusal(await partners(), 403, 'forbidden')
    expect((await owner.call('PATCH', path, { role: 'member' })).body.data).toMatchObject({ role: 'member' })
    expect((await partners()).status).toBe(201)
    expectRefusal(await member.call('POST', `/api/programs/${programId}/api-keys`, {}), 403, 'forbidden')
    expectRefusal(await member.call('PATCH', path, { role: 'owner' }), 403, 'forbidden')
    expect((await owner.call('DELETE', path)).status).toBe(200)
    expectRefusal(await partners(), 403, 'forbidden')
  })

  test('the last owner stays', async () => {
    const owner = await givenUser(open)
    const workspaceId = await givenWorkspace(owner)
    const [{ id }] = (await owner.call('GET', `/api/workspaces/${workspaceId}/members`)).body.data
    const path = `/api/workspaces/${workspaceId}/members/${id}`
    for (const answer of [await owner.call('PATCH', path, { role: 'viewer' }), await owner.call('DELETE', path)]) {
      expectRefusal(answer, 400, 'invalid_request')
      expect(answer.body.error.message).toStartWith('This is the only owner of the workspace.')
    }
    expect((await owner.call('GET', `/api/workspaces/${workspaceId}/members`)).body.data).toMatchObject([
      { role: 'owner' },
    ])
  })

  test('of two owners who leave at once, one stays', async () => {
    for (const leave of [
      (user: User, path: string) => user.call('DELETE', path),
      (user: User, path: string) => user.call('PATCH', path, { role: 'viewer' }),
    ]) {
      const owner = await givenUser(open)
      const workspaceId = await givenWorkspace(owner)
      const members = `/api/workspaces/${workspaceId}/members`
      const [{ id }] = (await owner.call('GET', members)).body.data
      const second = await givenMember(owner, workspaceId, 'admin')
      expect((await owner.call('PATCH', `${members}/${second.memberId}`, { role: 'owner' })).status).toBe(200)
      const answers = await Promise.all([
        leave(owner, `${members}/${id}`),
        leave(second, `${members}/${second.memberId}`),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
      const stays = answers[0]?.status === 400 ? owner : second
      const left = (await stays.call('GET', members)).body.data as { role: string }[]
      expect(left.filter(({ role }) => role === 'owner')).toHaveLength(1)
    }
  })

  test('an admin removes no owner, of however many, and is told why', async () => {
    const owner = await givenUser(open)
    const workspaceId = await givenWorkspace(owner)
    const admin = await givenMember(owner, workspaceId, 'admin')
    const second = await givenMember(owner, workspaceId, 'admin')
    const path = `/api/workspaces/${workspaceId}/members/${second.memberId}`
    expect((await owner.call('PATCH', path, { role: 'owner' })).status).toBe(200)
    const refused = await admin.call('DELETE', path)
    expectRefusal(refused, 403, 'forbidden')
    expect(refused.body.error.message).toStartWith('Only an owner may remove an owner.')
    expect((await owner.call('DELETE', path)).status).toBe(200)
  })

  test('an admin cannot make themselves owner', async () => {
    const owner = await givenUser(open)
    const workspaceId = await givenWorkspace(owner)
    const admin = await givenMember(owner, workspaceId, 'admin')
    const answer = await admin.call('PATCH', `/api/workspaces/${workspaceId}/members/${admin.memberId}`, {
      role: 'owner',
    })
    expectRefusal(answer, 403, 'forbidden')
  })
})
