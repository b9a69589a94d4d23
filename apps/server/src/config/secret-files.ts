import { readFileSync } from 'node:fs'
import { StartupError } from './startup-error.ts'

type Environment = Record<string, string | undefined>

/** Settings that contain a secret. Each can be in a file instead: `SMTP_URL_FILE=/run/secrets/smtp-url`. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_READ_URL',
  'SESSION_SECRET',
  'HASH_KEY',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_KEY',
  'OIDC_CLIENT_SECRET',
  'BACKUP_KEY',
  'S3_SECRET_ACCESS_KEY',
] as const

/**
 * Adds the secrets that are in files, as container platforms provide them. A view, because a copy would read every setting: see
 * unknown-settings.ts.
 */
export const withSecretFiles = (env: Environment): Environment => {
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
