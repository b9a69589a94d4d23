import { describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import pino from 'pino'
import { memberInvitation, partnerInvitation } from '../../src/mail/letters.ts'
import { createMailer, mustEncrypt } from '../../src/mail/mailer.ts'
import { startSmtp } from '../support/smtp.ts'

const LETTER = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
const TO = 'ada@example.com'

/** What a mailer writes to the log, as the log has it. */
const listening = () => {
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

describe('a letter', () => {
  test('is handed over with its sender, its reader, plain text and HTML', async () => {
    const { mail, received } = await startSmtp()
    expect(await createMailer(mail, listening()).send(TO, LETTER)).toBe(true)
    expect(received).toMatchObject([{ from: 'no-reply@example.com', to: TO, text: 'Hello', html: '<p>Hello</p>' }])
    expect(received[0]?.header).toContain('From: Tributary <no-reply@example.com>')
  })

  test.each([
    ['silent', { silent: true }, 'ETIMEDOUT'],
    ['slow in many small steps', { endless: true }, 'ETIMEDOUT'],
    ['unwilling to take it', { toRecipient: '550 5.1.1 <$to> is nobody here' }, 'EENVELOPE'],
  ])('to a mail server that is %s is not sent, and the log says why without an address', async (_, habits, code) => {
    const { mail, received } = await startSmtp(habits)
    const { lines, log } = listening()
    expect(await createMailer(mail, { log, timeLimitMs: 300 }).send(TO, LETTER)).toBe(false)
    expect(received).toEqual([])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, code }])
    expect(lines.join()).not.toContain(TO)
  })

  test('to a mail server that is down is not sent', async () => {
    const { lines, log } = listening()
    const mail = { smtpUrl: `smtp://127.0.0.1:${await closedPort()}`, from: 'a@example.com' }
    expect(await createMailer(mail, { log }).send(TO, LETTER)).toBe(false)
    expect(lines).toHaveLength(1)
  })
})

test.each([
  ['smtp://user:password@mail.example.com', true],
  ['smtp://user:password@localhost.example.com', true],
  ['smtp://mail.example.com', false],
  ['smtp://user:password@localhost:25', false],
  ['smtp://user:password@[::1]:25', false],
])('a password is sent over TLS, unless the mail server is on this machine: %s', (smtpUrl, expected) =>
  expect(mustEncrypt(smtpUrl)).toBe(expected))

describe('names that people gave', () => {
  const url = 'https://track.example.com/invite/1'
  const expiresAt = new Date('2026-12-01T12:00:00Z')
  const hostile = 'Acme\r\nBcc: victim@example.com\n\n<script>alert(1)</script>\u2028Pay here'

  test.each([
    [
      'workspace',
      () => memberInvitation({ workspaceName: hostile, inviterName: hostile, role: 'viewer', url, expiresAt }),
    ],
    ['partner', () => partnerInvitation({ programName: hostile, partnerName: hostile, url, expiresAt })],
  ])('of a %s begin no header, no paragraph and no markup', async (_, write) => {
    const { mail, received } = await startSmtp()
    const letter = write()
    expect(letter.text.split(/[\r\n\u2028]/)).toHaveLength(7)
    expect(await createMailer(mail, listening()).send(TO, letter)).toBe(true)
    expect(received).toMatchObject([{ to: TO }])
    expect(received[0]?.header).not.toMatch(/^Bcc:/im)
    expect(received[0]?.html).toContain('&lt;script&gt;')
    expect(received[0]?.html).not.toContain('<script>')
    expect(received[0]?.html.match(/<p>/g)).toHaveLength(4)
  })
})
