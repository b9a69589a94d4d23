import { createTransport } from 'nodemailer'
import type { MailSettings } from '../config/mail.ts'
import type { Log } from '../log.ts'
import type { Email } from './emails.ts'

const TIME_LIMIT_MS = 5_000
/** No caller waits for a job. */
const JOB_LIMITS = 6
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export type Mailer = ReturnType<typeof createMailer>

type Options = { log: Pick<Log, 'warn'>; timeLimitMs?: number }

/** Sends email through the operator's mail server. A failure is logged, never thrown: the caller has a fallback. */
export const createMailer = ({ smtpUrl, from }: MailSettings, { log, timeLimitMs: limit = TIME_LIMIT_MS }: Options) => {
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: mustEncrypt(smtpUrl),
    // Shorter than the whole, so that it is known when the mail server never answered.
    connectionTimeout: limit / 2,
    greetingTimeout: limit / 2,
    socketTimeout: limit,
    dnsTimeout: limit,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  const deliver = async (to: string, email: Email, withinMs: number): Promise<Delivery> => {
    // Each step has its own limit; this one stops a server that is slow in many steps.
    const timeout = startTimeout(withinMs)
    try {
      const sending = transport.sendMail({ from, to: { name: '', address: to }, ...email })
      await Promise.race([sending, timeout.expired])
      return { outcome: 'accepted' }
    } catch (error) {
      log.warn(errorCodes(error), 'could not send email')
      return { outcome: outcomeOf(error as MailError), code: codeOf(error as MailError) }
    } finally {
      timeout.clear()
    }
  }

  return {
    /** Returns whether the mail server accepted the email within the time limit. */
    send: async (to: string, email: Email) => (await deliver(to, email, limit)).outcome === 'accepted',
    /** For background jobs, which need to know whether they may try again. */
    deliver: (to: string, email: Email) => deliver(to, email, JOB_LIMITS * limit),
    /** Signs in without sending anything; the reason if that fails. */
    findProblem: async () => {
      const timeout = startTimeout(limit)
      try {
        await Promise.race([transport.verify(), timeout.expired])
        return null
      } catch (error) {
        return codeOf(error as MailError)
      } finally {
        timeout.clear()
        transport.close()
      }
    },
    /** The domain of the sender, for message IDs. */
    domain: from.replace(/>$/, '').split('@').at(-1) ?? 'localhost',
  }
}

/**
 * `refused` is final and `delayed` is worth another try: in both, the mail server did not take the email. After `unknown` it may
 * have, because the connection broke.
 */
export type Delivery = { outcome: 'accepted' } | { outcome: 'refused' | 'delayed' | 'unknown'; code: string }

type MailError = { code?: string; responseCode?: number; syscall?: string; message?: string }

/** Without a response, only failures before the first command prove that nothing was sent. */
const outcomeOf = ({ code = '', responseCode, syscall, message = '' }: MailError) => {
  if (responseCode !== undefined) return responseCode >= 500 && code !== 'EAUTH' ? 'refused' : 'delayed'
  const neverConnected = syscall === 'connect' || /^(connection timeout|greeting never received)/i.test(message)
  return neverConnected || ['EDNS', 'EAUTH', 'ETLS', 'ECONNREFUSED', 'ENOTFOUND'].includes(code) ? 'delayed' : 'unknown'
}

const codeOf = ({ code = 'unknown', responseCode }: MailError) => String(responseCode ?? code)

/** Without TLS, a network attacker could strip STARTTLS and read the password. Loopback connections are safe. */
export const mustEncrypt = (smtpUrl: string) => {
  const { username, hostname } = new URL(smtpUrl)
  return username !== '' && !LOOPBACK.includes(hostname)
}

/** The `mailed` field of a response, omitted without a mail server. */
export const mailedTo = async (mailer: Mailer | null, to: string, email: () => Email) =>
  mailer ? { mailed: await mailer.send(to, email()) } : {}

const startTimeout = (milliseconds: number) => {
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(Object.assign(new Error('mail server timed out'), { code: 'ETIMEDOUT', command: 'all' })),
    milliseconds,
  )
  return { expired, clear: () => clearTimeout(timer) }
}

/** Only the codes: a mail server's error message repeats the recipient's address. */
const errorCodes = (error: unknown) => {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  return { code, command, responseCode }
}
