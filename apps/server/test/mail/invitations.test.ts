import { describe, expect, test } from 'bun:test'
import { givenUser, givenWorkspace, unique } from '../support/given.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { isLongRun } from '../support/size.ts'
import { startSmtp } from '../support/smtp.ts'

const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail })
const without = await startTestService()
const refusing = await startTestService({ mail: (await startSmtp({ toRecipient: '550 no' })).mail })

const inviteMember = async (to: TestService, name = 'Acme') => {
  const owner = await givenUser(to)
  const workspaceId = (await owner.call('POST', '/api/workspaces', { name })).body.data.id
  const email = `${unique('invited')}@example.com`
  const path = `/api/workspaces/${workspaceId}/invitations`
  const response = await owner.call('POST', path, { email, role: 'viewer' })
  expect(response.status).toBe(201)
  return { email, invitation: response.body.data, list: (await owner.call('GET', path)).body.data }
}

const invitePartner = async (to: TestService, name = 'Maya') => {
  const owner = await givenUser(to)
  const workspaceId = await givenWorkspace(owner)
  const program = (await owner.call('POST', '/api/programs', { name: 'Acme partners', workspaceId })).body.data
  const email = `${unique('partner')}@example.com`
  const path = `/api/programs/${program.id}/partners`
  const partner = (await owner.call('POST', path, { name, email, status: 'approved' })).body.data
  const response = await owner.call('POST', `${path}/${partner.id}/invite`, {})
  expect(response.status).toBe(201)
  return { email, invitation: response.body.data }
}

const emailsTo = (email: string) => smtp.received.filter(({ to }) => to === email)
const openedBy = (to: TestService, url: string) => fetch(to.url + new URL(url).pathname)

describe('with a mail server, an invitation', () => {
  test('for a member is emailed with the link from the response', async () => {
    const { email, invitation, list } = await inviteMember(service)
    expect(invitation).toMatchObject({ email, mailed: true })
    const [message, ...more] = emailsTo(email)
    expect(more).toEqual([])
    expect(message?.header).toContain('Subject: Join Acme on Tributary')
    expect(message?.text).toContain('Sam Reed invited you to the workspace “Acme” as viewer.')
    for (const body of [message?.text, message?.html]) expect(body).toContain(invitation.url)
    expect(message?.html).not.toMatch(/<img|<script|src=/)
    expect(list[0]).not.toHaveProperty('mailed')
  })

  test('for a partner is emailed with the link from the response', async () => {
    const { email, invitation } = await invitePartner(service)
    expect(invitation).toMatchObject({ email, mailed: true })
    const [message] = emailsTo(email)
    expect(message?.text).toContain('Hi Maya, you are invited to the partner portal of “Acme partners”')
    for (const body of [message?.text, message?.html]) expect(body).toContain(invitation.url)
  })

  test('with line breaks in names reaches no other recipient', async () => {
    const name = 'Acme\r\nBcc: victim@example.com\r\n\r\nPay here'
    const invited = [await inviteMember(service, name), await invitePartner(service, name)]
    for (const { email, invitation } of invited) {
      expect(invitation.mailed).toBe(true)
      expect(emailsTo(email)).toHaveLength(1)
      expect(emailsTo(email)[0]?.header).not.toMatch(/^Bcc:/im)
    }
    expect(emailsTo('victim@example.com')).toEqual([])
  })

  const expectLinkWithoutEmail = async (bad: TestService) => {
    // In parallel: both wait for the mail server's time limit.
    const [{ invitation }, partner] = await Promise.all([inviteMember(bad), invitePartner(bad)])
    expect(invitation.mailed).toBe(false)
    expect((await openedBy(bad, invitation.url)).status).toBe(200)
    expect(partner.invitation).toMatchObject({ mailed: false, url: expect.any(String) })
  }

  test('still has a link when the mail server rejects the email', () => expectLinkWithoutEmail(refusing))

  test.skipIf(!isLongRun)('still has a link when the mail server never responds', async () =>
    expectLinkWithoutEmail(await startTestService({ mail: (await startSmtp({ silent: true })).mail })),
  )
})

test('without a mail server an invitation has a link and no "mailed" field', async () => {
  for (const { invitation } of [await inviteMember(without), await invitePartner(without)]) {
    expect(invitation.url).toStartWith('http://localhost:3000/')
    expect(invitation).not.toHaveProperty('mailed')
  }
})
