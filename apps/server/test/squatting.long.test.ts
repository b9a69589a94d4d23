import { describe, expect, test } from 'bun:test'
import { PASSWORD } from './portal/given-portal.ts'
import { cookieOf, expectRefusal, givenUser, type User, unique } from './support/given.ts'
import { givenPayingProgram } from './support/money.ts'
import { givenService } from './support/shared-service.ts'
import { CHOSEN, REWARD, squatting } from './support/squatting.ts'

const service = await givenService()
const { signIn, givenSquatter, inviteMember, invitePartner, expectSquatterGone } = squatting(service)

describe('an account that a squatter created with another person’s address', () => {
  test('is claimed by the link of a workspace invitation', async () => {
    const squatted = await givenSquatter()
    const { program, email } = squatted
    const id = await inviteMember(program.owner, program.workspaceId, email)
    const person = { name: 'Ada', email, password: CHOSEN, invitationId: id }
    const joined = await service.call('POST', '/api/auth/sign-up/email', person)
    expect(joined.status).toBe(200)
    expect(joined.body.user).toMatchObject({ email, name: 'Ada' })
    const cookie = cookieOf(joined.headers)
    expect((await service.call('POST', `/api/invitations/${id}/accept`, {}, { cookie })).status).toBe(200)
    const me = (await service.call('GET', '/api/me', undefined, { cookie })).body.data
    expect(me).toMatchObject({ user: { email, name: 'Ada' }, workspaces: [{ role: 'viewer' }], partnerOf: [] })
    await expectSquatterGone(squatted)
  })

  test('is claimed by the link of a partner invitation, without the squatter’s application', async () => {
    const squatted = await givenSquatter()
    const { program } = squatted
    const id = await invitePartner(squatted)
    const path = `/api/public/partner-invitations/${id}/sign-up`
    const joined = await service.call('POST', path, { name: 'Ada', password: CHOSEN })
    expect(joined.status).toBe(200)
    const cookie = cookieOf(joined.headers)
    const me = (await service.call('GET', '/api/me', undefined, { cookie })).body.data
    expect(me.partnerOf).toMatchObject([{ programId: program.id, partnerId: program.link.partnerId }])
    await expectSquatterGone(squatted)
  })

  test('is not claimed by an invitation of another address, by a guess, or by an application', async () => {
    const { program, email, squatter } = await givenSquatter()
    const id = await inviteMember(program.owner, program.workspaceId, `${unique('other')}@example.com`)
    for (const invitationId of [id, 'a-guess', undefined])
      expectRefusal(
        await service.call('POST', '/api/auth/sign-up/email', { name: 'x', email, password: CHOSEN, invitationId }),
        409,
        'conflict',
      )
    await service.call('POST', `/api/public/programs/${program.id}/apply`, { name: 'x', email, password: CHOSEN })
    expect((await squatter.call('GET', '/api/me')).status).toBe(200)
    expectRefusal(await signIn(email, CHOSEN), 401, 'invalid_credentials')
  })

  test('several concurrent claims end with one password, and with no session of the squatter', async () => {
    const squatted = await givenSquatter()
    const id = await invitePartner(squatted)
    const path = `/api/public/partner-invitations/${id}/sign-up`
    const answers = await Promise.all(
      [1, 2, 3].map(() => service.call('POST', path, { name: 'Ada', password: CHOSEN })),
    )
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    await expectSquatterGone(squatted)
  })
})

describe('an invitation never claims the account', () => {
  const expectKept = async (owner: User) => {
    const inviter = await givenPayingProgram(service, REWARD)
    const invitationId = await inviteMember(inviter.owner, inviter.workspaceId, owner.email)
    const person = { name: 'x', email: owner.email, password: CHOSEN, invitationId }
    expectRefusal(await service.call('POST', '/api/auth/sign-up/email', person), 409, 'conflict')
    const id = await invitePartner({ program: inviter, email: owner.email })
    const path = `/api/public/partner-invitations/${id}/sign-up`
    expectRefusal(await service.call('POST', path, { name: 'x', password: CHOSEN }), 409, 'conflict')
    expect((await owner.call('GET', '/api/me')).status).toBe(200)
    expect((await signIn(owner.email, PASSWORD)).status).toBe(200)
  }

  test('of a member of a workspace', async () => {
    const owner = await givenUser(service)
    await owner.call('POST', '/api/workspaces', { name: 'Mine' })
    await expectKept(owner)
  })

  test('of an approved partner', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', program.api, { applicationsOpen: true })
    const person = await givenUser(service)
    const { partnerId } = (await person.call('POST', `/api/portal/programs/${program.id}/apply`)).body.data
    await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { status: 'approved' })
    await expectKept(person)
  })

  test('of an applicant with a link from the merchant', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', program.api, { applicationsOpen: true })
    const person = await givenUser(service)
    const { partnerId } = (await person.call('POST', `/api/portal/programs/${program.id}/apply`)).body.data
    expect((await program.owner.call('POST', `${program.api}/links`, { partnerId })).status).toBe(201)
    await expectKept(person)
  })

  test('of a person with a merchant invitation, even while their partner waits for approval', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const { id } = (await program.owner.call('POST', `${program.api}/partners`, { name: 'Bob', code: unique('bob') }))
      .body.data
    const bob = await givenUser(service)
    const invited = await program.owner.call('POST', `${program.api}/partners/${id}/invite`, { email: bob.email })
    const link = invited.body.data.url.split('/').at(-1)
    expect((await bob.call('POST', `/api/portal/invitations/${link}/accept`)).status).toBe(200)
    await program.owner.call('PATCH', `${program.api}/partners/${id}`, { status: 'pending' })
    expect((await bob.call('GET', '/api/me')).body.data.partnerOf).toMatchObject([{ status: 'pending' }])
    await expectKept(bob)
    expect((await bob.call('GET', '/api/me')).body.data.partnerOf).toMatchObject([{ partnerId: id }])
  })

  test('of an applicant with payout details', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', program.api, { applicationsOpen: true })
    const person = await givenUser(service)
    await person.call('POST', `/api/portal/programs/${program.id}/apply`)
    const path = `/api/portal/programs/${program.id}/payout-details`
    const details = { method: 'paypal', account: 'person@example.com', holder: 'Person' }
    expect((await person.call('PUT', path, details)).status).toBe(200)
    await expectKept(person)
    expect((await person.call('GET', path)).body.data).toMatchObject(details)
  })

  test('with a verified address', async () => {
    const person = await givenUser(service)
    await service.pool.query('UPDATE users SET email_verified = true WHERE email = $1', [person.email])
    await expectKept(person)
  })
})
