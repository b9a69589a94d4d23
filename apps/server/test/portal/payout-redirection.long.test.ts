import { describe, expect, test } from 'bun:test'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { startSmtp } from '../support/smtp.ts'
import { cookieOf, PASSWORD, REWARD } from './given-portal.ts'

const service = await givenService()
const smtp = await startSmtp()
const mailing = await startTestService({ mail: smtp.mail })
const lettersTo = (email: string) => smtp.received.filter(({ to }) => to === email)

/** A program with a partner who has an email address, and one member of each role that is needed here. */
const givenAddressed = async (on: TestService) => {
  const program = await givenPayingProgram(on, REWARD)
  const partner = `${program.api}/partners/${program.link.partnerId}`
  const email = `${unique('maya')}@example.com`
  expect((await program.owner.call('PATCH', partner, { email })).status).toBe(200)
  const as = async (role: string) => {
    const user = await givenUser(on)
    await givenRole(on, program.workspaceId, user, role)
    return user
  }
  const invite = (body: object = {}, user = program.owner) => user.call('POST', `${partner}/invite`, body)
  const signUp = async (id: string) => {
    const path = `/api/public/partner-invitations/${id}/sign-up`
    const answer = await on.call('POST', path, { name: 'Maya', password: PASSWORD })
    expect(answer.status).toBe(200)
    const cookie = cookieOf(answer.headers)
    return { cookie, call: (method: string, path: string) => on.call(method, path, undefined, { cookie }) }
  }
  const join = async (to = email) => signUp(idIn((await invite({ email: to })).body.data.url))
  const audit = async () => (await program.owner.call('GET', `${program.api}/audit`)).body.data
  return { program, partner, email, as, invite, join, signUp, audit }
}
const idIn = (url: string) => url.split('/').at(-1) ?? ''

const expectNeedsPayout = (answer: Parameters<typeof expectRefusal>[0]) => {
  expectRefusal(answer, 403, 'forbidden')
  expect(answer.body.error.message).toContain('payout:manage')
}

describe('a member', () => {
  test('cannot undo a suspension or a rejection, which returns money to payouts, but can approve an application', async () => {
    const { as, partner, program } = await givenAddressed(service)
    const [member, admin] = [await as('member'), await as('admin')]
    const setBy = (user: typeof member, status: string) => user.call('PATCH', partner, { status })
    for (const stopped of ['suspended', 'rejected']) {
      expect((await setBy(program.owner, stopped)).status).toBe(200)
      for (const status of ['approved', 'pending']) expectNeedsPayout(await setBy(member, status))
      expectNeedsPayout(await member.call('PATCH', partner, { name: 'Renamed', status: 'approved' }))
      expect((await program.owner.call('GET', partner)).body.data).toMatchObject({ name: 'Partner', status: stopped })
      for (const status of ['suspended', 'rejected']) expect((await setBy(member, status)).status).toBe(200)
      expect((await setBy(admin, 'pending')).status).toBe(200)
      expect((await setBy(member, 'approved')).status).toBe(200)
    }
  })

  test('can invite a partner without a sign-in at the partner’s own address, in any spelling', async () => {
    const { as, email, invite } = await givenAddressed(service)
    const member = await as('member')
    expect((await invite({}, member)).status).toBe(201)
    expect((await invite({ email: email.toUpperCase() }, member)).status).toBe(201)
  })

  test('cannot invite another address', async () => {
    const { as, invite } = await givenAddressed(service)
    expectNeedsPayout(await invite({ email: 'thief@example.com' }, await as('member')))
    expect((await invite({ email: 'another@example.com' }, await as('admin'))).status).toBe(201)
  })

  test('cannot choose the address of a partner who has none', async () => {
    const { as, invite, partner, program } = await givenAddressed(service)
    await program.owner.call('PATCH', partner, { email: null })
    const member = await as('member')
    expectNeedsPayout(await invite({ email: 'thief@example.com' }, member))
    expectNeedsPayout(await member.call('PATCH', partner, { email: 'thief@example.com' }))
  })

  test('cannot invite a partner who has a sign-in again', async () => {
    const { as, invite, join } = await givenAddressed(service)
    const member = await as('member')
    await join()
    expectNeedsPayout(await invite({}, member))
    expect((await invite({}, await as('admin'))).status).toBe(201)
  })

  test('cannot change the email address, alone or with other fields, but may send the current one', async () => {
    const { as, email, partner, program } = await givenAddressed(service)
    const member = await as('member')
    for (const change of [{ email: 'thief@example.com' }, { email: null }, { name: 'New', email: 'thief@example.com' }])
      expectNeedsPayout(await member.call('PATCH', partner, change))
    expect((await program.owner.call('GET', partner)).body.data).toMatchObject({ name: 'Partner', email })
    expect((await member.call('PATCH', partner, { name: 'New name', email })).status).toBe(200)
  })

  test('cannot remove a sign-in', async () => {
    const { as, partner, join } = await givenAddressed(service)
    const maya = await join()
    for (const role of ['member', 'viewer'])
      expectNeedsPayout(await (await as(role)).call('DELETE', `${partner}/sign-in`))
    expect((await maya.call('GET', '/api/portal/programs')).body.data).toHaveLength(1)
  })

  test('gets no copy of a mailed link, because opening it signs in as the partner', async () => {
    const { as, email, invite, signUp } = await givenAddressed(mailing)
    const { body } = await invite({}, await as('member'))
    expect(body.data).toMatchObject({ email, mailed: true })
    expect(body.data).not.toHaveProperty('url')
    const [, id = ''] = /\/portal\/invite\/(\S+)/.exec(lettersTo(email).at(-1)?.text ?? '') ?? []
    await signUp(id)
    expect((await invite({})).body.data.url).toContain('/portal/invite/')
  })
})

describe('a changed email address', () => {
  test('is reported to the old one, and ends invitations to it', async () => {
    const { email, invite, partner, program } = await givenAddressed(mailing)
    const id = idIn((await invite()).body.data.url)
    expect((await program.owner.call('PATCH', partner, { email: 'new@example.com' })).status).toBe(200)
    const letter = lettersTo(email).at(-1)
    expect(letter?.header).toContain('Subject: Your email address')
    expect(letter?.text).toContain('new@example.com')
    expectRefusal(await mailing.call('GET', `/api/public/partner-invitations/${id}`), 404, 'not_found')
    const before = smtp.received.length
    await program.owner.call('PATCH', partner, { email: 'NEW@example.com', name: 'Maya L.' })
    expect(smtp.received).toHaveLength(before)
  })

  test('is shown to the partner in the portal and in the audit log', async () => {
    const { email, partner, program, join, audit } = await givenAddressed(service)
    const maya = await join()
    const shown = async () => (await maya.call('GET', '/api/portal/programs')).body.data[0].accessChanges
    expect(await shown()).toEqual([])
    await program.owner.call('PATCH', partner, { email: 'new@example.com' })
    expect(await shown()).toEqual([{ change: 'email_changed', at: expect.any(String) }])
    expect((await audit())[0]).toMatchObject({
      action: 'partner changed',
      before: { email },
      after: { email: 'new@example.com' },
    })
    service.clock.advance(31 * 86_400_000)
    expect(await shown()).toEqual([])
  })
})

test('an email address changed before the first sign-in is not reported to the partner', async () => {
  const { partner, program, join } = await givenAddressed(service)
  const corrected = `${unique('corrected')}@example.com`
  await program.owner.call('PATCH', partner, { email: corrected })
  const maya = await join(corrected)
  expect((await maya.call('GET', '/api/portal/programs')).body.data[0].accessChanges).toEqual([])
})

describe('a second sign-in of a partner', () => {
  test('is reported to the previous address and sign-in', async () => {
    const { email, join, audit } = await givenAddressed(mailing)
    const first = await join()
    expect(lettersTo(email).filter(({ header }) => header.includes('New sign-in'))).toHaveLength(0)
    const other = `${unique('second')}@example.com`
    await join(other)
    expect(lettersTo(email).at(-1)?.header).toContain('Subject: New sign-in')
    expect(lettersTo(email).at(-1)?.text).toContain(other)
    expect((await first.call('GET', '/api/portal/programs')).body.data[0].accessChanges).toEqual([
      { change: 'sign_in_added', at: expect.any(String) },
    ])
    expect((await audit())[0]).toMatchObject({ action: 'partner sign-in added', after: { email: other } })
  })

  test('is also reported for an existing account', async () => {
    const { email, invite, join } = await givenAddressed(mailing)
    await join()
    const person = await givenUser(mailing)
    const id = idIn((await invite({ email: person.email })).body.data.url)
    expect((await person.call('POST', `/api/portal/invitations/${id}/accept`)).status).toBe(200)
    expect(lettersTo(email).at(-1)?.text).toContain(person.email)
  })
})

describe('DELETE …/sign-in', () => {
  test('immediately ends the access of everyone who signs in as the partner, and notifies them', async () => {
    const { email, partner, program, join, invite, audit } = await givenAddressed(mailing)
    const other = `${unique('second')}@example.com`
    const [maya, second] = [await join(), await join(other)]
    const open = idIn((await invite({ email: 'third@example.com' })).body.data.url)
    const removed = await program.owner.call('DELETE', `${partner}/sign-in`)
    expect(removed).toMatchObject({ status: 200, body: { data: { removed: 2 } } })
    for (const user of [maya, second]) {
      expect((await user.call('GET', '/api/portal/programs')).body.data).toEqual([])
      expect((await user.call('GET', '/api/me')).body.data.partnerOf).toEqual([])
      expectRefusal(await user.call('GET', `/api/portal/programs/${program.id}/payout-details`), 403, 'forbidden')
    }
    expectRefusal(await mailing.call('GET', `/api/public/partner-invitations/${open}`), 404, 'not_found')
    expect((await program.owner.call('GET', partner)).body.data).toMatchObject({ email, hasAccount: false })
    expect((await audit())[0]).toMatchObject({ action: 'partner sign-in removed', before: { emails: [email, other] } })
    for (const address of [email, other]) expect(lettersTo(address).at(-1)?.header).toContain('Subject: Your access to')
  })

  test('of a partner without a sign-in changes nothing, and is not in the audit log', async () => {
    const { partner, program, audit } = await givenAddressed(service)
    const before = await audit()
    const answer = await program.owner.call('DELETE', `${partner}/sign-in`)
    expect(answer).toMatchObject({ status: 200, body: { data: { removed: 0 } } })
    expect(await audit()).toEqual(before)
    expectRefusal(await program.owner.call('DELETE', `${program.api}/partners/999999/sign-in`), 404, 'not_found')
  })

  test('keeps that person’s other programs, and the partner can be invited again', async () => {
    const [one, two] = [await givenAddressed(service), await givenAddressed(service)]
    const maya = await one.join()
    const id = idIn((await two.invite({ email: one.email })).body.data.url)
    expect((await maya.call('POST', `/api/portal/invitations/${id}/accept`)).status).toBe(200)
    await one.program.owner.call('DELETE', `${one.partner}/sign-in`)
    const programs = async () =>
      (await maya.call('GET', '/api/portal/programs')).body.data.map((row: { programId: number }) => row.programId)
    expect(await programs()).toEqual([two.program.id])
    const again = idIn((await one.invite()).body.data.url)
    expect((await maya.call('POST', `/api/portal/invitations/${again}/accept`)).status).toBe(200)
    expect(await programs()).toEqual([one.program.id, two.program.id])
  })

  test('does not grant a workspace if sign-up is closed', async () => {
    const closed = await startTestService({ openSignup: false })
    const owner = await givenUser(closed)
    const workspaceId = (await owner.call('POST', '/api/workspaces', { name: 'W' })).body.data.id
    const programId = (await owner.call('POST', '/api/programs', { workspaceId, name: 'P' })).body.data.id
    const partners = `/api/programs/${programId}/partners`
    const { id } = (await owner.call('POST', partners, { name: 'Maya', email: 'maya@example.com' })).body.data
    const invited = idIn((await owner.call('POST', `${partners}/${id}/invite`)).body.data.url)
    const body = { name: 'Maya', password: PASSWORD }
    const joined = await closed.call('POST', `/api/public/partner-invitations/${invited}/sign-up`, body)
    await owner.call('DELETE', `${partners}/${id}/sign-in`)
    const cookie = cookieOf(joined.headers)
    expectRefusal(await closed.call('POST', '/api/workspaces', { name: 'Mine' }, { cookie }), 403, 'forbidden')
  })
})

/** Every way in which a role without payout:manage could redirect a partner's earnings. */
test('no route of a member moves a link, an application or a partner’s payout details to another person', async () => {
  const { as, program, partner, join } = await givenAddressed(service)
  await join()
  const member = await as('member')
  const thief = await member.call('POST', `${program.api}/partners`, { name: 'Thief', status: 'approved' })
  const { linkId, partnerId } = { linkId: program.link.id, partnerId: thief.body.data.id }
  expectRefusal(await member.call('PATCH', `${program.api}/links/${linkId}`, { partnerId }), 409, 'conflict')
  const portal = `/api/portal/programs/${program.id}`
  const details = { method: 'paypal', account: 'thief@example.com' }
  expectRefusal(await member.call('PUT', `${portal}/payout-details`, details), 403, 'forbidden')
  expectRefusal(await member.call('PUT', `${partner}/reward`, REWARD), 403, 'forbidden')
  expect((await program.owner.call('GET', partner)).body.data).toMatchObject({ payoutDetails: null })
})
