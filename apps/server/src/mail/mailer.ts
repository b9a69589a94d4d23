import { createTransport } from 'nodemailer'
import type { MailSettings } from '../config/mail.ts'
import type { Log } from '../log.ts'
import type { Letter } from './letters.ts'

const TIME_LIMIT_MS = 5_000
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export type Mailer = ReturnType<typeof createMailer>

type Options = { log: Pick<Log, 'warn'>; timeLimitMs?: number }

/** Hands letters to the operator's mail server. A letter that cannot be sent is never an error: the caller has another way. */
export const createMailer = ({ smtpUrl, from }: MailSettings, { log, timeLimitMs: limit = TIME_LIMIT_MS }: Options) => {
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: mustEncrypt(smtpUrl),
    connectionTimeout: limit,
    greetingTimeout: limit,
    socketTimeout: limit,
    dnsTimeout: limit,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  return {
    /** Whether the mail server has taken it within the time limit. */
    send: async (to: string, letter: Letter): Promise<boolean> => {
      // Each step has its limit above; a server that is slow in many steps meets this one.
      const inTime = limitTo(limit)
      try {
        const sending = transport.sendMail({ from, to: { name: '', address: to }, ...letter })
        await Promise.race([sending, inTime.over])
        return true
      } catch (error) {
        log.warn(withoutAddress(error), 'a mail was not sent')
        return false
      } finally {
        inTime.clear()
      }
    },
  }
}

/** Whoever can strip STARTTLS from the conversation would read the password; on this machine there is nobody between. */
export const mustEncrypt = (smtpUrl: string) => {
  const { username, hostname } = new URL(smtpUrl)
  return username !== '' && !LOOPBACK.includes(hostname)
}

/** For an answer that says whether a letter was sent, and says nothing of mail where there is no mail server. */
export const mailedTo = async (mailer: Mailer | null, to: string, letter: () => Letter) =>
  mailer ? { mailed: await mailer.send(to, letter()) } : {}

const limitTo = (milliseconds: number) => {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT', command: 'all' })),
    milliseconds,
  )
  return { over, clear: () => clearTimeout(timer) }
}

/** A mail server's own words repeat the address that it refuses. */
const withoutAddress = (error: unknown) => {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  return { code, command, responseCode }
}
