import { isSecureSecret, readAddress } from './read-values.ts'
import { StartupError } from './startup-error.ts'

export type S3Settings = { accessKeyId: string; secretAccessKey: string; endpoint: string; region: string }

export type BackupSettings = {
  /** Encrypts backups; null writes them in plain. */
  key: string | null
  /** Only backup and restore use it. */
  s3: S3Settings | null
}

export const readBackupSettings = (env: Record<string, string | undefined>): BackupSettings => ({
  key: readKey(env.BACKUP_KEY),
  s3: readS3(env),
})

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
