import { describe, expect, test } from 'bun:test'
import { cookieOf, expectRefusal, givenUser, givenWorkspace, type User, unique } from './support/given.ts'
import { startTestService } from './support/service.ts'
import { signUp } from './support/sign-up.ts'

const open = await startTestService({ openSignup: true })

describe('an invitation', () => {
  const invite = async (owner: User, workspaceId: string, role: string) => {
    const email = `${unique('invited')}@example.com`
    const { status, body } = await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email, role })
    expect(status).toBe(201)
    return { email, ...body.data } as { id: string; email: string; url: string; status: string }
  }

  test('is a link for signing up and joining with the invited role', async () => {
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

  test('does not work for another email address, after it was revoked, or after a week', async () => {
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

  test('resent is the same invitation; with another role it is a new one, and the first is revoked', async () => {
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

  test('cannot grant owner, and needs permission to manage members', async () => {
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

  test('the last owner cannot leave', async () => {
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

  test('of two owners who leave concurrently, one stays', async () => {
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

  test('an admin cannot remove an owner, however many there are, and gets the reason', async () => {
    const owner = await givenUser(open)
    const workspaceId = await givenWorkspace(owner)
    const admin = await givenMember(owner, workspaceId, 'admin')
    const second = await givenMember(owner, workspaceId, 'admin')
    const path = `/api/workspaces/${workspaceId}/members/${second.memberId}`
    expect((await owner.call('PATCH', path, { role: 'owner' })).status).toBe(200)
    const refused = await admin.call('DELETE', path)
    expectRefusal(refused, 403, 'forbidden')
    expect(refused.body.error.message).toStartWith('Only an owner can remove an owner.')
    expect((await owner.call('DELETE', path)).status).toBe(200)
  })

  test('an admin cannot promote themselves to owner', async () => {
    const owner = await givenUser(open)
    const workspaceId = await givenWorkspace(owner)
    const admin = await givenMember(owner, workspaceId, 'admin')
    const answer = await admin.call('PATCH', `/api/workspaces/${workspaceId}/members/${admin.memberId}`, {
      role: 'owner',
    })
    expectRefusal(answer, 403, 'forbidden')
  })
})

describe('with sign-up closed, another workspace can be created', () => {
  const create = (user: User) => user.call('POST', '/api/workspaces', { name: 'Another' })
  const closed = async () => {
    const service = await startTestService({ openSignup: false })
    const owner = await givenUser(service)
    return { service, owner, workspaceId: await givenWorkspace(owner) }
  }
  const givenMember = async ({ service, owner, workspaceId }: Awaited<ReturnType<typeof closed>>, role: string) => {
    const email = `${unique(role)}@example.com`
    const invited = await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email, role })
    const { id } = invited.body.data
    const cookie = cookieOf((await signUp(service, { email, invitationId: id })).headers)
    const call: User['call'] = (method, path, body) => service.call(method, path, body, { cookie })
    expect((await call('POST', `/api/invitations/${id}/accept`, {})).status).toBe(200)
    return { ...owner, email, cookie, call }
  }

  test('by owners and admins only', async () => {
    const instance = await closed()
    for (const role of ['member', 'viewer', 'billing']) {
      const refused = await create(await givenMember(instance, role))
      expectRefusal(refused, 403, 'forbidden')
      expect(refused.body.error.message).toContain('owner or admin')
    }
    expect((await create(await givenMember(instance, 'admin'))).status).toBe(201)
    expect((await create(instance.owner)).status).toBe(201)
  })

  test('but not by the first account once it is a viewer', async () => {
    const { service, owner, workspaceId } = await closed()
    await service.pool.query("UPDATE members SET role = 'viewer' WHERE organization_id = $1", [workspaceId])
    expectRefusal(await create(owner), 403, 'forbidden')
  })
})
