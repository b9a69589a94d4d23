import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

export type Config = {
  port: number
  host: string
  baseUrl: string
  dataDir: string
  databaseUrl: string | null
  openSignup: boolean
  trustedProxies: string[]
  geoipDatabase: string | null
  rateLimits: boolean
  demo: boolean
  logLevel: string
  /** Processes that answer requests. One is the plain service; more of them have a parent that answers none. */
  workers: number
  /** Click events older than this are dropped by whole months; null keeps them all. */
  retentionDays: number | null
  stripe: StripeSettings
  /** Without it nothing is sent: invitations are links to copy. */
  mail: MailSettings | null
}

export type MailSettings = { smtpUrl: string; from: string }

/** The platform account, for operators who connect merchants through OAuth. Merchants with endpoints of their own need none. */
export type StripeSettings = {
  secretKey: string | null
  clientId: string | null
  webhookSecret: string | null
  /** Of a merchant's own account, for processor:reconcile alone. Never stored. */
  apiKey: string | null
  apiBase: string
  connectBase: string
}

/** Something that the person who starts the service can mend. Its message is one sentence, shown without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** The only reader of the environment. A value that is wrong stops the start: a guess would be found out much later. */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const port = readNumber('PORT', env.PORT || '3000', { from: 0, to: 65_535 })
  const baseUrl = readBaseUrl(env.BASE_URL || `http://localhost:${port}`)
  return {
    port,
    host: readHost(env.HOST || '0.0.0.0'),
    baseUrl,
    dataDir: resolve(env.DATA_DIR || 'data'),
    databaseUrl: env.DATABASE_URL ? readDatabaseUrl(env.DATABASE_URL) : null,
    openSignup: readSwitch('OPEN_SIGNUP', env.OPEN_SIGNUP, { on: 'true', off: 'false', unset: false }),
    trustedProxies: readProxies(env.TRUSTED_PROXIES || ''),
    geoipDatabase: env.GEOIP_DATABASE ? readGeoipDatabase(env.GEOIP_DATABASE) : null,
    rateLimits: readSwitch('RATE_LIMITS', env.RATE_LIMITS, { on: 'on', off: 'off', unset: true }),
    demo: readSwitch('DEMO', env.DEMO, { on: 'true', off: 'false', unset: true }),
    logLevel: readLogLevel(env.LOG_LEVEL || 'info'),
    workers: readNumber('WORKERS', env.WORKERS || '1', { from: 1, to: MAX_WORKERS }),
    retentionDays: env.RETENTION_DAYS
      ? readNumber('RETENTION_DAYS', env.RETENTION_DAYS, { from: 1, to: MAX_RETENTION_DAYS })
      : null,
    stripe: readStripe(env),
    mail: readMail(env, baseUrl),
  }
}

const readMail = (env: Record<string, string | undefined>, baseUrl: string): MailSettings | null => {
  const from = env.MAIL_FROM ? readSender(env.MAIL_FROM) : `Tributary <no-reply@${mailHostOf(baseUrl)}>`
  return env.SMTP_URL ? { smtpUrl: readSmtpUrl(env.SMTP_URL), from } : null
}

/** A bare IP address is no domain of a mail address. */
const mailHostOf = (baseUrl: string) => {
  const { hostname } = new URL(baseUrl)
  return isIP(hostname.replace(/[[\]]/g, '')) ? 'localhost' : hostname
}

/** The value can hold a password, so the sentence does not repeat it. Options in it could lift the time limits. */
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

const readStripe = (env: Record<string, string | undefined>): StripeSettings => ({
  secretKey: readCredential(env, 'STRIPE_SECRET_KEY', /^[rs]k_\w+$/),
  clientId: readCredential(env, 'STRIPE_CLIENT_ID', /^ca_\w+$/),
  webhookSecret: readCredential(env, 'STRIPE_WEBHOOK_SECRET', /^whsec_\S+$/),
  apiKey: readCredential(env, 'STRIPE_API_KEY', /^[rs]k_\w+$/),
  apiBase: readAddress('STRIPE_API_BASE', env.STRIPE_API_BASE || 'https://api.stripe.com'),
  connectBase: readAddress('STRIPE_CONNECT_BASE', env.STRIPE_CONNECT_BASE || 'https://connect.stripe.com'),
})

/** The sentence does not repeat the value, which may be a secret in the wrong place. */
const readCredential = (env: Record<string, string | undefined>, name: string, shape: RegExp) => {
  const value = env[name]
  if (!value) return null
  if (!shape.test(value) || /change.?me|placeholder|x{6}/i.test(value))
    throw new StartupError(`${name} is not what Stripe gives out under that name: copy it from its dashboard.`)
  return value
}

/** More would not fit into the embedded database's connections. */
const MAX_WORKERS = 16

const MAX_RETENTION_DAYS = 36_500

const readNumber = (name: string, value: string, { from, to }: { from: number; to: number }) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < from || number > to)
    throw new StartupError(`${name} must be a number from ${from} to ${to}, not "${value}".`)
  return number
}

const readHost = (value: string) => {
  if (!isIP(value) && !/^[a-z\d.-]+$/i.test(value)) {
    throw new StartupError(`HOST must be an IP address or a host name, not "${value}".`)
  }
  return value
}

const readBaseUrl = (value: string) => readAddress('BASE_URL', value)

const readAddress = (name: string, value: string) => {
  const url = URL.canParse(value) ? new URL(value) : null
  if (
    !url ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  ) {
    throw new StartupError(
      `${name} must be an address without a path, such as https://track.example.com, not "${value}".`,
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** The value can hold a password, so the sentence does not repeat it. */
const readDatabaseUrl = (value: string) => {
  // A URL without a host (a Unix socket given as ?host=) is fine for Postgres and not for the URL parser.
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value.replace(/^(\w+:\/\/)([^/@]*@)?\//, '$1$2localhost/'))) {
    throw new StartupError('DATABASE_URL must look like postgres://user:password@host:5432/database.')
  }
  return value
}

const readSwitch = (name: string, value: string | undefined, words: { on: string; off: string; unset: boolean }) => {
  if (!value) return words.unset
  if (value !== words.on && value !== words.off) {
    throw new StartupError(`${name} must be ${words.on} or ${words.off}, not "${value}".`)
  }
  return value === words.on
}

const readProxies = (value: string) => {
  const proxies = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const wrong = proxies.find((proxy) => !isAddressOrRange(proxy))
  if (wrong)
    throw new StartupError(`TRUSTED_PROXIES must be IP addresses or ranges such as 10.0.0.0/8, not "${wrong}".`)
  return proxies
}

const isAddressOrRange = (value: string) => {
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const readGeoipDatabase = (value: string) => {
  if (!existsSync(value)) throw new StartupError(`GEOIP_DATABASE names a file that does not exist: ${value}.`)
  return resolve(value)
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const readLogLevel = (value: string) => {
  if (!LOG_LEVELS.includes(value))
    throw new StartupError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${value}".`)
  return value
}
