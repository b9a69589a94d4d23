import { hkdfSync, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/config.ts'
import { isSecureSecret } from './config/read-values.ts'
import { StartupError } from './config/startup-error.ts'

export type Secrets = { sessionSecret: string; hashKey: string; databasePassword: string }

const NAMES = ['sessionSecret', 'hashKey', 'databasePassword'] as const

export const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json')

/** Generated at the first start and never printed, so no installation runs with a known value. */
export const loadSecrets = (dataDir: string): Secrets => {
  const file = secretsFile(dataDir)
  if (!existsSync(file)) {
    refuseIfDatabaseExists(dataDir, file)
    writeSecrets(file, newSecrets())
  }
  const secrets = readSecrets(file)
  restrict(file)
  return secrets
}

/** A restored or copied file is often world-readable, and sometimes root's. */
const restrict = (file: string) => {
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    throw new StartupError(
      `${file} belongs to another user (${(error as { code?: string }).code}). Start the service as its owner, or change the owner.`,
    )
  }
}

type SecretSettings = Pick<Config, 'dataDir' | 'databaseUrl' | 'givenSecrets'>

/**
 * The generated secrets, or those given as settings. With an external database and given secrets, DATA_DIR needs no secrets
 * file, so that several nodes need no common folder.
 */
export const openSecrets = ({ dataDir, databaseUrl, givenSecrets }: SecretSettings): Secrets => {
  if (givenSecrets && databaseUrl) return { ...givenSecrets, databasePassword: '' }
  return { ...loadSecrets(dataDir), ...givenSecrets }
}

/** For commands: new secrets would match nothing in the database. */
export const openExistingSecrets = (settings: SecretSettings): Secrets => {
  const isGiven = settings.givenSecrets && settings.databaseUrl
  if (!isGiven && !existsSync(secretsFile(settings.dataDir)))
    throw new StartupError(
      `${settings.dataDir} has no Tributary instance. Set DATA_DIR to the same value as the service.`,
    )
  return openSecrets(settings)
}

/** Derives a key for one purpose. It reveals neither the secret nor the key for any other purpose. */
export const deriveKey = ({ hashKey }: Pick<Secrets, 'hashKey'>, purpose: string) =>
  Buffer.from(hkdfSync('sha256', hashKey, '', `tributary ${purpose}`, 32))

/** New secrets would lock us out of the existing database and invalidate every key and session in it. */
const refuseIfDatabaseExists = (dataDir: string, file: string) => {
  if (existsSync(join(dataDir, 'postgres', 'cluster')) || existsSync(join(dataDir, 'postgres-location'))) {
    throw new StartupError(
      `${dataDir} contains a database but ${file} is missing. Restore the file or set a different DATA_DIR.`,
    )
  }
}

/** Keeps the secrets from a backup, so that existing hashes and signatures stay valid. */
export const saveSecrets = (dataDir: string, secrets: Secrets) => writeSecrets(secretsFile(dataDir), secrets)

/** Secrets that a rotation is about to use. Whether the database uses them already is for settleSessionSecret to find out. */
export const prepareSecrets = (dataDir: string, secrets: Secrets) => writeSecrets(nextFile(dataDir), secrets)

export const findPreparedSecrets = (dataDir: string) =>
  existsSync(nextFile(dataDir)) ? readSecrets(nextFile(dataDir)) : null

/** Makes the prepared secrets the instance's. Doing it twice is harmless. */
export const adoptSecrets = (dataDir: string, secrets: Secrets) => {
  saveSecrets(dataDir, secrets)
  rmSync(nextFile(dataDir), { force: true })
}

const nextFile = (dataDir: string) => join(dataDir, 'secrets.next.json')

const newSecrets = () =>
  Object.fromEntries(NAMES.map((name) => [name, randomBytes(32).toString('base64url')])) as Secrets

/** Atomic: a crash must not leave half a file that every later start refuses. */
const writeSecrets = (file: string, secrets: Secrets) => {
  const draft = `${file}.new`
  const handle = openSync(draft, 'w', 0o600)
  writeSync(handle, `${JSON.stringify(secrets, null, 2)}\n`)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(draft, file)
}

const readSecrets = (file: string): Secrets => {
  const stored = parse(file)
  for (const name of NAMES) {
    const value = stored[name]
    if (!isSecureSecret(value)) {
      throw new StartupError(`${file} has no secure value for "${name}". Restore the file from a backup.`)
    }
  }
  return stored as Secrets
}

const parse = (file: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new StartupError(`${file} cannot be read (${error.code}). Start the service as the user who owns it.`)
    }
  }
  throw new StartupError(`${file} is damaged. Restore it from a backup.`)
}
