import { describe, expect, test } from 'bun:test'
import { resultOf } from '../../src/notifications/send-emails.ts'
import { givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { startSmtp } from '../support/smtp.ts'
import { mailsOf, sendDue } from './given-notifications.ts'

// Without a mail server, so that only the test sends.
const service = await givenService()
const smtp = await startSmtp()

/** A program with one application, which its owner is told about. */
const givenApplication = async () => {
  const program = await givenPayingProgram(service, null)
  await program.owner.call('PATCH', program.api, { applicationsOpen: true })
  const applicant = await givenUser(service)
  const { status } = await applicant.call('POST', `/api/portal/programs/${program.id}/apply`, {})
  expect(status).toBe(201)
  const partners = (await program.owner.call('GET', `${program.api}/partners?status=pending`)).body.data
  return { ...program, applicant, partnerId: partners[0].id as number }
}
const lettersTo = (email: string) => smtp.received.filter(({ to }) => to === email)

describe('an email', () => {
  test('is sent once, by however many processes', async () => {
    const { id, owner } = await givenApplication()
    await Promise.all(Array.from({ length: 8 }, () => sendDue(service, smtp.mail)))
    await sendDue(service, smtp.mail)
    const [letter, ...more] = lettersTo(owner.email)
    expect(more).toEqual([])
    expect(letter?.header).toContain('Subject: Test: Sam Reed applied to become a partner')
    expect(letter?.header).toMatch(new RegExp(`Message-ID: <notification\\.${id}\\.\\d+\\.[0-9a-f]{16}@example\\.com>`))
    expect(letter?.text).toContain(`http://localhost:3000/programs/${id}/partners/applications`)
    expect(letter?.html).toContain('<table role="presentation"')
    expect(await mailsOf(service, id)).toEqual([{ kind: 'application_received', mail: 'sent', attempts: 1 }])
  })

  test('is not sent again after a crash while it was sent, and the settings say so', async () => {
    const { id, owner, api } = await givenApplication()
    await service.pool.query(
      `UPDATE notification_recipients SET mail = 'sending', mail_at = $2 WHERE program_id = $1`,
      [id, service.clock.now()],
    )
    await sendDue(service, smtp.mail)
    expect(await mailsOf(service, id)).toMatchObject([{ mail: 'sending' }])
    service.clock.advance(16 * 60_000)
    await sendDue(service, smtp.mail)
    expect(await mailsOf(service, id)).toMatchObject([{ mail: 'unknown' }])
    expect(lettersTo(owner.email)).toEqual([])
    const { problems } = (await owner.call('GET', `${api}/notifications/previews`)).body.data
    expect(problems).toMatchObject([{ kind: 'application_received', email: owner.email, status: 'unknown' }])
  })

  test('is retried later if the mail server is busy, and given up if it refuses the address', async () => {
    const { id, owner } = await givenApplication()
    const busy = await startSmtp({ toRecipient: '451 4.3.0 try later' })
    await sendDue(service, busy.mail)
    expect(await mailsOf(service, id)).toMatchObject([{ mail: 'waiting', attempts: 1 }])
    await sendDue(service, smtp.mail)
    expect(lettersTo(owner.email)).toEqual([])
    service.clock.advance(3 * 60_000)
    await sendDue(service, smtp.mail)
    expect(lettersTo(owner.email)).toHaveLength(1)
    const refused = await givenApplication()
    const refusing = await startSmtp({ toRecipient: '550 5.1.1 unknown' })
    await sendDue(service, refusing.mail)
    expect(await mailsOf(service, refused.id)).toMatchObject([{ mail: 'failed' }])
  })

  test('is not sent again if the connection breaks before the mail server confirms it', async () => {
    const { id, owner } = await givenApplication()
    const broken = await startSmtp({ hangsUp: true })
    await sendDue(service, broken.mail)
    expect(broken.received.map(({ to }) => to)).toEqual([owner.email])
    expect(await mailsOf(service, id)).toMatchObject([{ mail: 'unknown', attempts: 1 }])
    service.clock.advance(DAY_MS)
    await sendDue(service, smtp.mail)
    expect(lettersTo(owner.email)).toEqual([])
  })

  test('that waited for a mail server for days is not sent when there is one', async () => {
    const { id, owner } = await givenApplication()
    await sendDue(service, null)
    service.clock.advance(4 * DAY_MS)
    await sendDue(service, smtp.mail)
    expect(await mailsOf(service, id)).toMatchObject([{ mail: 'skipped' }])
    expect(lettersTo(owner.email)).toEqual([])
  })

  test('is skipped for a member who lost the permission while it waited', async () => {
    const { id, owner, workspaceId } = await givenApplication()
    await service.pool.query(`UPDATE members SET role = 'viewer' WHERE organization_id = $1`, [workspaceId])
    await sendDue(service, smtp.mail)
    expect(await mailsOf(service, id)).toMatchObject([{ mail: 'skipped' }])
    expect(lettersTo(owner.email)).toEqual([])
    expect((await owner.call('GET', `/api/programs/${id}/notifications`)).body.data).toEqual({
      unread: 0,
      notifications: [],
    })
  })
})

describe('after an attempt', () => {
  const createdAt = new Date('2026-11-01T00:00:00Z')
  const after = (attempts: number, days = 0) => ({
    attempts,
    createdAt,
    at: new Date(createdAt.getTime() + days * DAY_MS),
  })
  const delayed = { outcome: 'delayed', code: '451' } as const
  test('pauses grow up to six hours, and end after three days', () => {
    const pauses = [1, 2, 5, 30].map((n) => resultOf(delayed, after(n)).mailAt.getTime() - createdAt.getTime())
    expect(pauses.map((pause) => pause / 60_000)).toEqual([2, 4, 32, 360])
    expect(resultOf(delayed, after(12, 3.1))).toMatchObject({ mail: 'failed', mailError: '451' })
    expect(resultOf({ outcome: 'unknown', code: 'ETIMEDOUT' }, after(1))).toMatchObject({ mail: 'unknown' })
  })
})

describe('the applicant', () => {
  test.each([
    ['approved', 'You’ve been accepted into Test'],
    ['rejected', 'Your application to Test wasn’t accepted'],
  ])('learns once that they were %s', async (decision, title) => {
    const { owner, api, id, applicant, partnerId } = await givenApplication()
    const body = { partnerIds: [partnerId], decision, message: 'Good luck' }
    await Promise.all([1, 2].map(() => owner.call('POST', `${api}/applications/decide`, body)))
    await owner.call('PATCH', `${api}/partners/${partnerId}`, { status: 'pending' })
    await owner.call('PATCH', `${api}/partners/${partnerId}`, { status: decision })
    await sendDue(service, smtp.mail)
    const letters = lettersTo(applicant.email)
    expect(letters).toHaveLength(1)
    expect(letters[0]?.text).toStartWith(title)
    expect(letters[0]?.text).toContain('Message from Test: Good luck')
    const { data } = (await applicant.call('GET', `/api/portal/programs/${id}/notifications`)).body
    expect(data).toMatchObject({ unread: 1, notifications: [{ kind: `application_${decision}`, title, read: false }] })
  })

  test('is announced only to members who may decide', async () => {
    const program = await givenPayingProgram(service, null)
    const users = await Promise.all(
      ['admin', 'member', 'viewer', 'billing'].map(async (role) => {
        const user = await givenUser(service)
        await givenRole(service, program.workspaceId, user, role)
        return user
      }),
    )
    await program.owner.call('PATCH', program.api, { applicationsOpen: true })
    const applicant = await givenUser(service)
    await applicant.call('POST', `/api/portal/programs/${program.id}/apply`, {})
    await sendDue(service, smtp.mail)
    expect(users.map(({ email }) => lettersTo(email).length)).toEqual([1, 1, 0, 0])
    const unread = await Promise.all(
      users.map(async (user) => (await user.call('GET', `${program.api}/notifications`)).body.data.unread),
    )
    expect(unread).toEqual([1, 1, 0, 0])
  })
})

test('an unsubscribe link asks first, then turns off only that kind of email, for that person', async () => {
  const first = await givenApplication()
  await sendDue(service, smtp.mail)
  const letter = lettersTo(first.owner.email)[0]
  const header = letter?.header.replace(/\r\n\s+/g, ' ') ?? ''
  const [, url = ''] = /^List-Unsubscribe: <(\S+)>$/m.exec(header) ?? []
  expect(header).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(letter?.text).toContain(url)
  const path = new URL(url).pathname
  const preferences = async () =>
    (await first.owner.call('GET', `${first.api}/notifications/preferences`)).body.data.kinds
  const open = (method: string, to = path) =>
    fetch(service.url + to, {
      method,
      redirect: 'manual',
      ...(method === 'POST' && {
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
      }),
    })
  const before = await preferences()
  const page = await open('GET')
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<button>Unsubscribe</button>')])
  for (const wrong of [`${path}x`, path.replace('/unsubscribe/', '/unsubscribe/A'), '/unsubscribe/x.y'])
    expect((await open('POST', wrong)).status).toBe(404)
  expect(await preferences()).toEqual(before)
  for (const _ of [1, 2]) expect((await open('POST')).status).toBe(200)
  expect(await preferences()).toEqual(
    before.map((row: { kind: string }) => (row.kind === 'application_received' ? { ...row, mail: false } : row)),
  )
  const another = await givenUser(service)
  await another.call('POST', `/api/portal/programs/${first.id}/apply`, {})
  await sendDue(service, smtp.mail)
  expect(lettersTo(first.owner.email)).toHaveLength(1)
  expect((await first.owner.call('GET', `${first.api}/notifications`)).body.data.unread).toBe(2)
})
