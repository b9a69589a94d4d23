import { describe, expect, test } from 'bun:test'
import { until } from './lifecycle/given-service.ts'
import { cookieOf, expectRefusal, givenUser } from './support/given.ts'
import { givenPayingProgram, givenRole } from './support/money.ts'
import { startTestService, type TestService } from './support/service.ts'
import { startSmtp } from './support/smtp.ts'
import { CHOSEN, REWARD, SQUATTED, type SquattedAccount, squatting } from './support/squatting.ts'

const smtp = await startSmtp()
const withoutMail = await startTestService()
const withMail = await startTestService({ mail: smtp.mail })
const linkTo = (email: string, letter = /https?:\S+/) =>
  letter.exec(smtp.received.findLast(({ to }) => to === email)?.text ?? '')?.[0] ?? ''

const signUpAsMember = (service: TestService, email: string, invitationId: string) =>
  service.call('POST', '/api/auth/sign-up/email', { name: 'Ada', email, password: CHOSEN, invitationId })
const signUpAsPartner = (service: TestService, id: string) =>
  service.call('POST', `/api/public/partner-invitations/${id}/sign-up`, { name: 'Ada', password: CHOSEN })

/**
 * The program that the squatter applied to keeps its applicant, without a sign-in and without the squatter's account.
 */
const expectNothingHandedOver = async (
  service: TestService,
  { program, partnerId }: SquattedAccount,
  cookie: string,
) => {
  const me = (await service.call('GET', '/api/me', undefined, { cookie })).body.data
  expect(JSON.stringify(me.partnerOf)).not.toContain(`"programId":${program.id},`)
  for (const path of ['', '/links', '/commissions', '/payout-details']) {
    const answer = await service.call('GET', `/api/portal/programs/${program.id}${path}`, undefined, { cookie })
    expect([403, 404]).toContain(answer.status)
  }
  const { data } = (await program.owner.call('GET', `${program.api}/partners/${partnerId}`)).body
  expect(data).toMatchObject({ status: 'pending', name: 'Squatter', hasAccount: false, payoutDetails: null })
}

describe('without a mail server, an applicant of another workspace', () => {
  const { givenSquatter, inviteMember, invitePartner, expectSquatterGone } = squatting(withoutMail)

  test('does not block the invited address from joining a workspace', async () => {
    const squatted = await givenSquatter()
    const inviter = await givenPayingProgram(withoutMail, REWARD)
    const id = await inviteMember(inviter.owner, inviter.workspaceId, squatted.email)
    const joined = await signUpAsMember(withoutMail, squatted.email, id)
    expect(joined.status).toBe(200)
    const cookie = cookieOf(joined.headers)
    expect((await withoutMail.call('POST', `/api/invitations/${id}/accept`, {}, { cookie })).status).toBe(200)
    await expectSquatterGone(squatted)
    await expectNothingHandedOver(withoutMail, squatted, cookie)
  })

  test('does not block the invited address from becoming a partner', async () => {
    const squatted = await givenSquatter()
    const inviter = await givenPayingProgram(withoutMail, REWARD)
    const id = await invitePartner({ program: inviter, email: squatted.email })
    const joined = await signUpAsPartner(withoutMail, id)
    expect(joined.status).toBe(200)
    const cookie = cookieOf(joined.headers)
    const { partnerOf } = (await withoutMail.call('GET', '/api/me', undefined, { cookie })).body.data
    expect(partnerOf).toMatchObject([{ programId: inviter.id, partnerId: inviter.link.partnerId }])
    await expectSquatterGone(squatted)
    await expectNothingHandedOver(withoutMail, squatted, cookie)
  })

  test('is not claimed once the other workspace has approved them', async () => {
    const { program, partnerId, email, squatter } = await givenSquatter()
    await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { status: 'approved' })
    const inviter = await givenPayingProgram(withoutMail, REWARD)
    const id = await inviteMember(inviter.owner, inviter.workspaceId, email)
    expectRefusal(await signUpAsMember(withoutMail, email, id), 409, 'conflict')
    expect((await squatter.call('GET', '/api/me')).body.data.partnerOf).toMatchObject([{ programId: program.id }])
  })
})

describe('with a mail server, an applicant of another workspace', () => {
  const { givenSquatter, inviteMember, invitePartner, expectSquatterGone, signIn } = squatting(withMail)

  test('is claimed by a mailed invitation, which proves the address', async () => {
    const squatted = await givenSquatter()
    const inviter = await givenPayingProgram(withMail, REWARD)
    const member = await givenUser(withMail)
    await givenRole(withMail, inviter.workspaceId, member, 'member')
    const partner = `${inviter.api}/partners/${inviter.link.partnerId}`
    await inviter.owner.call('PATCH', partner, { email: squatted.email })
    const invited = await member.call('POST', `${partner}/invite`, {})
    expect(invited.body.data).not.toHaveProperty('url')
    const joined = await signUpAsPartner(withMail, linkTo(squatted.email).split('/').at(-1) ?? '')
    expect(joined.status).toBe(200)
    await expectSquatterGone(squatted)
    await expectNothingHandedOver(withMail, squatted, cookieOf(joined.headers))
  })

  test('is not claimed by a link that the inviter saw, who could be anyone with a workspace', async () => {
    const { program, email, squatter: applicant } = await givenSquatter()
    const inviter = await givenPayingProgram(withMail, REWARD)
    const memberLink = await inviteMember(inviter.owner, inviter.workspaceId, email)
    const refused = await signUpAsMember(withMail, email, memberLink)
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body.error.message).toContain('Forgot your password')
    expectRefusal(await signUpAsPartner(withMail, await invitePartner({ program: inviter, email })), 409, 'conflict')
    expect((await applicant.call('GET', '/api/me')).body.data.partnerOf).toMatchObject([{ programId: program.id }])
    expect((await signIn(email, SQUATTED)).status).toBe(200)
  })

  test('loses the account to the owner of the address, who resets its password and accepts the invitation', async () => {
    const { email, squatter } = await givenSquatter()
    const inviter = await givenPayingProgram(withMail, REWARD)
    const id = await inviteMember(inviter.owner, inviter.workspaceId, email)
    await withMail.call('POST', '/api/auth/request-password-reset', { email })
    await until(async () => linkTo(email).includes('token='), 5_000)
    const token = new URL(linkTo(email)).searchParams.get('token')
    expect((await withMail.call('POST', '/api/auth/reset-password', { token, newPassword: CHOSEN })).status).toBe(200)
    expectRefusal(await squatter.call('GET', '/api/me'), 401, 'unauthenticated')
    expectRefusal(await signIn(email, SQUATTED), 401, 'invalid_credentials')
    const cookie = cookieOf((await signIn(email, CHOSEN)).headers)
    expect((await withMail.call('POST', `/api/invitations/${id}/accept`, {}, { cookie })).status).toBe(200)
  })

  test('is claimed by any invitation of the workspace that they applied to', async () => {
    const squatted = await givenSquatter()
    const { program, email } = squatted
    expect(
      (await signUpAsMember(withMail, email, await inviteMember(program.owner, program.workspaceId, email))).status,
    ).toBe(200)
    await expectSquatterGone(squatted)
  })
})
