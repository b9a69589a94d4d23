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
  const answer = await owner.call('POST', path, { email, role: 'viewer' })
  expect(answer.status).toBe(201)
  return { email, invitation: answer.body.data, list: (await owner.call('GET', path)).body.data }
}

const invitePartner = async (to: TestService, name = 'Maya') => {
  const owner = await givenUser(to)
  const workspaceId = await givenWorkspace(owner)
  const program = (await owner.call('POST', '/api/programs', { name: 'Acme partners', workspaceId })).body.data
  const email = `${unique('partner')}@example.com`
  const path = `/api/programs/${program.id}/partners`
  const partner = (await owner.call('POST', path, { name, email, status: 'approved' })).body.data
  const answer = await owner.call('POST', `${path}/${partner.id}/invite`, {})
  expect(answer.status).toBe(201)
  return { email, invitation: answer.body.data }
}

const lettersTo = (email: string) => smtp.received.filter(({ to }) => to === email)
const openedBy = (to: TestService, url: string) => fetch(to.url + new URL(url).pathname)

describe('with a mail server, an invitation', () => {
  test('of a member is also sent to them, with the link that the answer has', async () => {
    const { email, invitation, list } = await inviteMember(service)
    expect(invitation).toMatchObject({ email, mailed: true })
    const [letter, ...more] = lettersTo(email)
    expect(more).toEqual([])
    expect(letter?.header).toContain('Subject: Join Acme on Tributary')
    expect(letter?.text).toContain('Somebody invites you to the workspace “Acme” as viewer.')
    for (const words of [letter?.text, letter?.html]) expect(words).toContain(invitation.url)
    expect(letter?.html).not.toMatch(/<img|<script|src=/)
    expect(list[0]).not.toHaveProperty('mailed')
  })

  test('of a partner is also sent to them, with the link that the answer has', async () => {
    const { email, invitation } = await invitePartner(service)
    expect(invitation).toMatchObject({ email, mailed: true })
    const [letter] = lettersTo(email)
    expect(letter?.text).toContain('Hello Maya, you are invited to the partner portal of “Acme partners”.')
    for (const words of [letter?.text, letter?.html]) expect(words).toContain(invitation.url)
  })

  test('by names with line breaks reaches nobody else', async () => {
    const name = 'Acme\r\nBcc: victim@example.com\r\n\r\nPay here'
    const invited = [await inviteMember(service, name), await invitePartner(service, name)]
    for (const { email, invitation } of invited) {
      expect(invitation.mailed).toBe(true)
      expect(lettersTo(email)).toHaveLength(1)
      expect(lettersTo(email)[0]?.header).not.toMatch(/^Bcc:/im)
    }
    expect(lettersTo('victim@example.com')).toEqual([])
  })

  const expectInvitedBy = async (bad: TestService) => {
    // At once: both wait as long as the service waits for a mail server.
    const [{ invitation }, partner] = await Promise.all([inviteMember(bad), invitePartner(bad)])
    expect(invitation.mailed).toBe(false)
    expect((await openedBy(bad, invitation.url)).status).toBe(200)
    expect(partner.invitation).toMatchObject({ mailed: false, url: expect.any(String) })
  }

  test('is there all the same when the mail server refuses', () => expectInvitedBy(refusing))

  test.skipIf(!isLongRun)('is there all the same when the mail server never answers', async () =>
    expectInvitedBy(await startTestService({ mail: (await startSmtp({ silent: true })).mail })),
  )
})

test('without a mail server an invitation is a link, and nothing is said of mail', async () => {
  for (const { invitation } of [await inviteMember(without), await invitePartner(without)]) {
    expect(invitation.url).toStartWith('http://localhost:3000/')
    expect(invitation).not.toHaveProperty('mailed')
  }
})
