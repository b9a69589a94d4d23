/** tributary backup <file>: writes the database and its secrets to one file, whether or not the service is running. */

import { parseArgs } from 'node:util'
import { settleSessionSecret } from '../accounts/settle-session-secret.ts'
import { TRIBUTARY } from '../config/command-name.ts'
import { type Config, readConfig } from '../config/config.ts'
import { readNumber } from '../config/read-values.ts'
import { explainWriteError, StartupError } from '../config/startup-error.ts'
import { choosePlace } from '../database/backup/backup-places.ts'
import { recordBackup } from '../database/backup/last-backup.ts'
import { writeBackup } from '../database/backup/write-backup.ts'
import { hasTable } from '../database/schema/installed.ts'
import { asOwner } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { openExistingSecrets } from '../secrets.ts'
import { openInstalledDatabase } from './open-database.ts'
import { formatCount, type Terminal, withErrorOutput } from './terminal.ts'

const USAGE = `Name the backup file: ${TRIBUTARY} backup <file | folder | s3://bucket/folder | -> [--keep N]`

const readArguments = (args: string[]) => {
  try {
    const options = { keep: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [name] = positionals
    if (!name || positionals.length > 1) throw new StartupError(USAGE)
    return { name, keep: values.keep ? readNumber('--keep', values.keep, { from: 1, to: 10_000 }) : null }
  } catch (error) {
    throw error instanceof StartupError ? error : new StartupError(USAGE)
  }
}

const backUp = async (config: Config, place: ReturnType<typeof choosePlace>, options: Written) => {
  const { destination } = place
  const found = openExistingSecrets(config)
  const database = await openInstalledDatabase(config)
  try {
    const secrets = await orStartupError(
      asOwner(database.url, async (db) => {
        if (!(await hasTable(db, 'kysely_migration')))
          throw new StartupError('This database is empty. Start the service once, then back it up.')
        return settleSessionSecret(db, { config, secrets: found })
      }),
    )
    return await writeBackup({ databaseUrl: database.url, destination, key: config.backup.key, secrets, ...options })
  } catch (error) {
    throw explainWriteError(destination.name, error)
  } finally {
    await database.close()
  }
}
type Written = { at: Date; progress: (line: string) => void }

export const command = withErrorOutput(async ({ args, env, print, printError }: Terminal) => {
  const { name, keep } = readArguments(args)
  // Standard output is the backup itself.
  const say = name === '-' ? printError : print
  const config = readConfig(env)
  const at = new Date()
  const place = choosePlace(name, config.backup, { at, cwd: env.INIT_CWD ?? '.' })
  if (keep !== null && !place.rotate)
    throw new StartupError('--keep needs a folder or s3://bucket/folder, because it removes older backups there.')
  const { rows, tables } = await backUp(config, place, { at, progress: say })
  recordBackup(config.dataDir, { at, to: place.destination.name })
  say(`${place.destination.name}: ${formatCount(rows, 'row')} of ${formatCount(tables, 'table')}.`)
  for (const old of (keep !== null && (await place.rotate?.(keep))) || []) say(`${old}: removed.`)
  say(
    config.backup.key
      ? 'It is encrypted. Without BACKUP_KEY no one can restore it, so keep a copy of the key elsewhere.'
      : "It contains the instance's secrets and all customer data. Keep it where only you can read it.",
  )
  return 0
})
