import { resolve } from 'node:path'
import { isSecureSecret, readAddress, readNumber } from './read-values.ts'
import { StartupError } from './startup-error.ts'

export type S3Settings = { accessKeyId: string; secretAccessKey: string; endpoint: string; region: string }

export type BackupSettings = {
  /** Encrypts backups; null writes them in plain. */
  key: string | null
  /** Only backup and restore use it. */
  s3: S3Settings | null
  /** The embedded Postgres archives there continuously; null archives nothing. */
  archiveDir: string | null
  /** For how many days any second can be restored. */
  archiveDays: number
}

export const readBackupSettings = (env: Record<string, string | undefined>): BackupSettings => ({
  key: readKey(env.BACKUP_KEY),
  s3: readS3(env),
  archiveDir: readArchiveDir(env),
  archiveDays: readNumber('ARCHIVE_DAYS', env.ARCHIVE_DAYS || '7', { from: 1, to: 365 }),
})

/** Postgres runs a shell command with this path in it. */
const readArchiveDir = ({ ARCHIVE_DIR: folder, DATABASE_URL: databaseUrl }: Record<string, string | undefined>) => {
  if (!folder) return null
  if (databaseUrl)
    throw new StartupError('ARCHIVE_DIR is for the embedded Postgres. With DATABASE_URL, archive on that server.')
  if (!/^[\w./ -]+$/.test(folder))
    throw new StartupError(`ARCHIVE_DIR may contain only letters, digits, spaces and . _ - /, not "${folder}".`)
  return resolve(folder)
}

const readKey = (value: string | undefined) => {
  if (!value) return null
  if (!isSecureSecret(value))
    throw new StartupError(
      'BACKUP_KEY must be at least 32 random characters. Create it with: openssl rand -base64 32. Without it, encrypted backups cannot be restored, so keep a copy elsewhere.',
    )
  return value
}

const readS3 = ({
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
}: Record<string, string | undefined>): S3Settings | null => {
  if (!accessKeyId && !secretAccessKey) return null
  if (!accessKeyId || !secretAccessKey)
    throw new StartupError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together. Set both or neither.')
  return {
    accessKeyId,
    secretAccessKey,
    region: region || 'us-east-1',
    endpoint: endpoint ? readAddress('S3_ENDPOINT', endpoint) : `https://s3.${region || 'us-east-1'}.amazonaws.com`,
  }
}
