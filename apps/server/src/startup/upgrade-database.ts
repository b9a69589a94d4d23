import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { VERSION } from '@tributary/contract/version'
import { TRIBUTARY } from '../config/command-name.ts'
import type { Config } from '../config/config.ts'
import { explainWriteError, StartupError } from '../config/startup-error.ts'
import { choosePlace } from '../database/backup/backup-places.ts'
import { readFreeBytes, readTableBytes } from '../database/backup/space.ts'
import { writeBackup } from '../database/backup/write-backup.ts'
import type { Database } from '../database/connect.ts'
import { migrate, migrationsOf, missingMigrations } from '../database/schema/migrate.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'

/** Not the operator's own folder of backups, because older ones are removed. */
const FOLDER = 'upgrade-backups'
const KEPT = 3
/** Names the backup of an upgrade that has not succeeded yet, in the same folder. */
const PENDING = 'pending'

type Options = {
  config: Config
  secrets: Secrets
  ownerUrl: string
  at: Date
  log: Pick<Log, 'info'>
  withoutBackup?: boolean
  freeBytes?: (folder: string) => number
}

/** Runs the missing migrations. They only go forward, so an embedded database with data is backed up first. */
export const upgradeDatabase = async (db: Database, options: Options) => {
  const isEmpty = (await migrationsOf(db)).length === 0
  const isUpgrade = !isEmpty && (await missingMigrations(db)).length > 0
  if (!isUpgrade || options.config.databaseUrl) return migrate(db)
  const backup = options.withoutBackup ? null : await backUp(db, options)
  await migrate(db).catch((error) => {
    throw new StartupError(explainFailure(error, backup?.file ?? null), { cause: error })
  })
  await backup?.keep()
}

const backUp = async (db: Database, { config, secrets, ownerUrl, at, log, freeBytes = readFreeBytes }: Options) => {
  const { dataDir, backup } = config
  const folder = join(dataDir, FOLDER)
  const [needed, free] = [await readTableBytes(db), freeBytes(dataDir)]
  if (free < needed)
    throw new StartupError(
      `The start of ${VERSION} upgrades the database and backs it up to ${folder} first, but that can take ${megabytes(needed)} and the disk has ${megabytes(free)} free. Free some space, or back up elsewhere and start with: ${TRIBUTARY} start --without-backup`,
    )
  log.info(`Backing up the database to ${folder} before the upgrade to ${VERSION}.`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const pending = join(folder, PENDING)
    const { destination, rotate } = choosePlace(folder, backup, { at, cwd: dataDir })
    const progress = (line: string) => log.info(line)
    await writeBackup({ databaseUrl: ownerUrl, destination, key: backup.key, secrets, at, progress })
    // A service manager restarts a failed upgrade again and again, which must not push out the backups of earlier upgrades.
    const [former, name] = [existsSync(pending) ? readFileSync(pending, 'utf8') : null, basename(destination.name)]
    // Two starts within a second write the same file.
    if (former !== null && former !== name) rmSync(join(folder, former), { force: true })
    writeFileSync(pending, name)
    const keep = async () => {
      rmSync(pending)
      await rotate?.(KEPT)
    }
    return { file: destination.name, keep }
  } catch (error) {
    const explained = explainWriteError(folder, error)
    if (!(explained instanceof StartupError)) throw error
    throw new StartupError(
      `${explained.message} Or back up elsewhere and start with: ${TRIBUTARY} start --without-backup`,
    )
  }
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en-US')} MB`

/** All migrations run in one transaction. */
const explainFailure = (error: Error, file: string | null) => {
  const restore = file
    ? `use it to restore the backup from before this start: ${TRIBUTARY} restore '${file}' --force`
    : 'use it to restore your own backup.'
  return `The upgrade to ${VERSION} failed and changed nothing: ${error.message}. To go back, install the previous version and start it. If it refuses to start, ${restore}`
}
