import { describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import pino from 'pino'
import { memberInvitation } from '../../src/mail/emails.ts'
import { createMailer, mustEncrypt } from '../../src/mail/mailer.ts'
import { partnerInvitation } from '../../src/mail/program-emails.ts'
import { startSmtp } from '../support/smtp.ts'

const EMAIL = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
const TO = 'ada@example.com'

/** Collects the log lines of a mailer. */
const captureLog = () => {
  const lines: string[] = []
  return { lines, log: pino({ base: null }, { write: (line: string) => lines.push(line) }) }
}

const closedPort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

describe('an email', () => {
  test('is sent with its sender, recipient, plain text and HTML', async () => {
    const { mail, received } = await startSmtp()
    expect(await createMailer(mail, captureLog()).send(TO, EMAIL)).toBe(true)
    expect(received).toMatchObject([{ from: 'no-reply@example.com', to: TO, text: 'Hello', html: '<p>Hello</p>' }])
    expect(received[0]?.header).toContain('From: Tributary <no-reply@example.com>')
  })

  test.each([
    ['is silent', { silent: true }, 'ETIMEDOUT'],
    ['is slow in many small steps', { endless: true }, 'ETIMEDOUT'],
    ['rejects it', { toRecipient: '550 5.1.1 <$to> is unknown here' }, 'EENVELOPE'],
  ])('is not sent if the mail server %s, and the log says why without the address', async (_, behavior, code) => {
    const { mail, received } = await startSmtp(behavior)
    const { lines, log } = captureLog()
    expect(await createMailer(mail, { log, timeLimitMs: 300 }).send(TO, EMAIL)).toBe(false)
    expect(received).toEqual([])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, code }])
    expect(lines.join()).not.toContain(TO)
  })

  test.each([
    ['never greets', { silent: true }, 'delayed'],
    ['is busy', { toRecipient: '451 4.3.0 try later' }, 'delayed'],
    ['does not know the recipient', { toRecipient: '550 5.1.1 unknown' }, 'refused'],
    ['takes it and hangs up', { hangsUp: true }, 'unknown'],
  ] as const)('of a job may be sent again only if it was not taken: the mail server %s', async (_, behavior, outcome) => {
    const { mail } = await startSmtp(behavior)
    const mailer = createMailer(mail, { ...captureLog(), timeLimitMs: 300 })
    expect(await mailer.deliver(TO, EMAIL)).toMatchObject({ outcome })
  })

  test('is not sent if the mail server is down', async () => {
    const { lines, log } = captureLog()
    const mail = { smtpUrl: `smtp://127.0.0.1:${await closedPort()}`, from: 'a@example.com' }
    expect(await createMailer(mail, { log }).send(TO, EMAIL)).toBe(false)
    expect(lines).toHaveLength(1)
  })
})

test.each([
  ['smtp://user:password@mail.example.com', true],
  ['smtp://user:password@localhost.example.com', true],
  ['smtp://mail.example.com', false],
  ['smtp://user:password@localhost:25', false],
  ['smtp://user:password@[::1]:25', false],
])('requires TLS for a password unless the mail server is on this machine: %s', (smtpUrl, expected) =>
  expect(mustEncrypt(smtpUrl)).toBe(expected))

describe('user-supplied names', () => {
  const url = 'https://track.example.com/invite/1'
  const expiresAt = new Date('2026-12-01T12:00:00Z')
  const hostile = 'Acme\r\nBcc: victim@example.com\n\n<script>alert(1)</script>\u2028Pay here'

  test.each([
    [
      'workspace',
      () => memberInvitation({ workspaceName: hostile, inviterName: hostile, role: 'viewer', url, expiresAt }),
    ],
    ['partner', () => partnerInvitation({ programName: hostile, partnerName: hostile, url, expiresAt })],
  ])('of a %s add no header, paragraph or markup', async (_, build) => {
    const { mail, received } = await startSmtp()
    const email = build()
    expect(email.text.split(/[\r\n\u2028]/)).toHaveLength(7)
    expect(await createMailer(mail, captureLog()).send(TO, email)).toBe(true)
    expect(received).toMatchObject([{ to: TO }])
    expect(received[0]?.header).not.toMatch(/^Bcc:/im)
    expect(received[0]?.html).toContain('&lt;script&gt;')
    expect(received[0]?.html).not.toContain('<script>')
    expect(received[0]?.html.match(/<p>/g)).toHaveLength(4)
  })
})
