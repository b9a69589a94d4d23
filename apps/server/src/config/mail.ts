import { isIP } from 'node:net'
import { StartupError } from './startup-error.ts'

export type MailSettings = { smtpUrl: string; from: string }

export const readMail = (env: Record<string, string | undefined>, baseUrl: string): MailSettings | null => {
  const from = env.MAIL_FROM ? readSender(env.MAIL_FROM) : `Tributary <no-reply@${mailHost(baseUrl)}>`
  return env.SMTP_URL ? { smtpUrl: readSmtpUrl(env.SMTP_URL), from } : null
}

/** An IP address is not a valid mail domain. */
const mailHost = (baseUrl: string) => {
  const { hostname } = new URL(baseUrl)
  return isIP(hostname.replace(/[[\]]/g, '')) ? 'localhost' : hostname
}

/** The message omits the value, which can contain a password. URL options are rejected because they could lift our timeouts. */
const readSmtpUrl = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : null
  const isPlain = url && !url.pathname.replace('/', '') && !url.search && !url.hash
  if (!isPlain || !['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname || !hasUsableSignIn(url))
    throw new StartupError('SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465.')
  return value
}

const hasUsableSignIn = ({ username, password }: URL) => {
  try {
    const [user, secret] = [username, password].map(decodeURIComponent)
    return user !== '' || secret === ''
  } catch {
    return false
  }
}

const SENDER = /^(?:[^<>@"\p{Cc}]+ <([^\s<>@",;]+@[^\s<>@",;]+)>|[^\s<>@",;]+@[^\s<>@",;]+)$/u

const readSender = (value: string) => {
  if (!SENDER.test(value)) throw new StartupError('MAIL_FROM must look like Acme <no-reply@example.com>.')
  return value
}
