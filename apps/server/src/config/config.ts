import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { PROCESSOR_SECRETS, type ProcessorSettings, readProcessorSettings } from '../processor/settings.ts'
import { type BackupSettings, readBackupSettings } from './backup.ts'
import { type MailSettings, readMail } from './mail.ts'
import { type OidcSettings, readOidc } from './oidc.ts'
import {
  isSecureSecret,
  readAddress,
  readAddresses,
  readCell,
  readDatabaseFile,
  readDatabaseUrl,
  readHost,
  readLogLevel,
  readNumber,
  readSwitch,
} from './read-values.ts'
import { StartupError } from './startup-error.ts'
import { refuseMisspelled, watchSettings } from './unknown-settings.ts'

export type Config = ProcessorSettings & {
  port: number
  host: string
  baseUrl: string
  /** Address of the partner portal in invitations and emails. */
  portalUrl: string
  dataDir: string
  /** Shared by several nodes without a common DATA_DIR; null means the generated ones. */
  givenSecrets: GivenSecrets | null
  databaseUrl: string | null
  /** For migrations and maintenance when the DATABASE_URL login owns nothing. */
  databaseOwnerUrl: string | null
  /** A replica that reports and exports read; null means the database itself. */
  databaseReadUrl: string | null
  openSignup: boolean
  /** Compares every answer with its schema before sending it; for development and tests. */
  checkAnswers: boolean
  trustedProxies: string[]
  geoipDatabase: string | null
  asnDatabase: string | null
  rateLimits: boolean
  demo: boolean
  logLevel: string
  /** What new click IDs and API keys start with, where several installations stand behind one proxy; empty for none. */
  cell: string
  /** Names this instance in the log, where several share a database. */
  node: string
  /** Processes that serve requests. With more than one, a parent supervises them and serves none. */
  workers: number
  /** Click events older than this are dropped in whole months; null keeps all of them. */
  retentionDays: number | null
  /** Without it no mail is sent, and invitations are links to copy. */
  mail: MailSettings | null
  /** Addresses and ranges that webhooks may call although they are private, on any port. */
  webhookAllowHosts: string[]
  /** The team's identity provider. */
  oidc: OidcSettings | null
  backup: BackupSettings
  /** Where OpenTelemetry traces are sent; null sends none. */
  tracesEndpoint: string | null
}

/** More would exceed the embedded database's connection limit. */
const MAX_WORKERS = 16

const MAX_RETENTION_DAYS = 36_500

export type GivenSecrets = { sessionSecret: string; hashKey: string }

const readGivenSecrets = ({ SESSION_SECRET: sessionSecret, HASH_KEY: hashKey }: Record<string, string | undefined>) => {
  if (!sessionSecret && !hashKey) return null
  for (const [name, value] of Object.entries({ SESSION_SECRET: sessionSecret, HASH_KEY: hashKey }))
    if (!isSecureSecret(value))
      throw new StartupError(
        `${name} must be at least 32 random characters; SESSION_SECRET and HASH_KEY belong together. Create each with: openssl rand -base64 32`,
      )
  return { sessionSecret: sessionSecret ?? '', hashKey: hashKey ?? '' }
}

const readReadUrl = (env: Record<string, string | undefined>) => {
  if (!env.DATABASE_READ_URL) return null
  if (!env.DATABASE_URL)
    throw new StartupError('DATABASE_READ_URL requires DATABASE_URL, the server that it replicates.')
  return readDatabaseUrl('DATABASE_READ_URL', env.DATABASE_READ_URL, { isPrimary: false })
}

const readOwnerUrl = (env: Record<string, string | undefined>) => {
  if (!env.DATABASE_OWNER_URL) return null
  if (!env.DATABASE_URL)
    throw new StartupError('DATABASE_OWNER_URL requires DATABASE_URL, the login that serves requests.')
  return readDatabaseUrl('DATABASE_OWNER_URL', env.DATABASE_OWNER_URL)
}

export const readNodeName = (env: Record<string, string | undefined>) => env.NODE_NAME || hostname()

/** The only code that reads the environment. An invalid value stops startup, because a guess would surface much later. */
export const readConfig = (environment: Record<string, string | undefined>): Config => {
  const { watched, known } = watchSettings(environment)
  const config = readSettings(watched)
  refuseMisspelled(environment, known)
  return config
}

const readSettings = (environment: Record<string, string | undefined>): Config => {
  const env = withSecretFiles(environment)
  const port = readNumber('PORT', env.PORT || '3000', { from: 0, to: 65_535 })
  const baseUrl = readAddress('BASE_URL', env.BASE_URL || `http://localhost:${port}`)
  return {
    port,
    host: readHost(env.HOST || '0.0.0.0'),
    baseUrl,
    portalUrl: env.PORTAL_URL ? readAddress('PORTAL_URL', env.PORTAL_URL) : baseUrl,
    dataDir: resolve(env.DATA_DIR || 'data'),
    givenSecrets: readGivenSecrets(env),
    databaseUrl: env.DATABASE_URL ? readDatabaseUrl('DATABASE_URL', env.DATABASE_URL) : null,
    databaseOwnerUrl: readOwnerUrl(env),
    databaseReadUrl: readReadUrl(env),
    openSignup: readSwitch('OPEN_SIGNUP', env.OPEN_SIGNUP, { on: 'true', off: 'false', unset: false }),
    checkAnswers: readSwitch('CHECK_ANSWERS', env.CHECK_ANSWERS, { on: 'true', off: 'false', unset: false }),
    trustedProxies: readAddresses('TRUSTED_PROXIES', env.TRUSTED_PROXIES || ''),
    geoipDatabase: readDatabaseFile('GEOIP_DATABASE', env.GEOIP_DATABASE),
    asnDatabase: readDatabaseFile('ASN_DATABASE', env.ASN_DATABASE),
    rateLimits: readSwitch('RATE_LIMITS', env.RATE_LIMITS, { on: 'on', off: 'off', unset: true }),
    demo: readSwitch('DEMO', env.DEMO, { on: 'true', off: 'false', unset: true }),
    logLevel: readLogLevel(env.LOG_LEVEL || 'info'),
    cell: readCell(env.CELL || ''),
    node: readNodeName(env),
    workers: readNumber('WORKERS', env.WORKERS || '1', { from: 1, to: MAX_WORKERS }),
    retentionDays: env.RETENTION_DAYS
      ? readNumber('RETENTION_DAYS', env.RETENTION_DAYS, { from: 1, to: MAX_RETENTION_DAYS })
      : null,
    ...readProcessorSettings(env),
    mail: readMail(env, baseUrl),
    webhookAllowHosts: readAddresses('WEBHOOK_ALLOW_HOSTS', env.WEBHOOK_ALLOW_HOSTS || ''),
    oidc: readOidc(env),
    backup: readBackupSettings(env),
    tracesEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? readAddress('OTEL_EXPORTER_OTLP_ENDPOINT', env.OTEL_EXPORTER_OTLP_ENDPOINT)
      : null,
  }
}

type Environment = Record<string, string | undefined>

/** Settings that contain a secret. Each can be in a file instead: `SMTP_URL_FILE=/run/secrets/smtp-url`. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_READ_URL',
  'SESSION_SECRET',
  'HASH_KEY',
  'SMTP_URL',
  ...PROCESSOR_SECRETS,
  'OIDC_CLIENT_SECRET',
  'BACKUP_KEY',
  'S3_SECRET_ACCESS_KEY',
] as const

/**
 * Adds the secrets that are in files, as container platforms provide them. A view, because a copy would read every setting: see
 * unknown-settings.ts.
 */
const withSecretFiles = (env: Environment): Environment => {
  const fromFiles = new Map<string | symbol, string>()
  for (const name of SECRET_SETTINGS) {
    const path = env[`${name}_FILE`]
    if (path && env[name]) throw new StartupError(`${name} and ${name}_FILE are both set. Remove one of them.`)
    if (path) fromFiles.set(name, readSecretFile(`${name}_FILE`, path))
  }
  return new Proxy(env, { get: (target, name) => fromFiles.get(name) ?? Reflect.get(target, name) })
}

const readSecretFile = (setting: string, path: string) => {
  const value = readText(setting, path).trim()
  if (!value) throw new StartupError(`${setting} points to an empty file: ${path}.`)
  return value
}

const readText = (setting: string, path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = '' } = error as { code?: string }
    throw new StartupError(`${setting} points to a file that cannot be read (${code}): ${path}.`)
  }
}
