/** npm run backup -- <file>: writes the database and its secrets to one file, whether or not the service is running. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../config/config.ts'
import { explainWriteError, StartupError } from '../config/startup-error.ts'
import { writeBackup } from '../database/backup/write-backup.ts'
import { hasTable } from '../database/schema/installed.ts'
import { asOwner } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { openExistingSecrets } from '../secrets.ts'
import { openInstalledDatabase } from './open-database.ts'
import { formatCount, runCommand, type Terminal, withErrorOutput } from './terminal.ts'

const backUp = async ({ args, env, print }: Terminal) => {
  const [name, ...more] = args
  if (!name || more.length > 0 || name.startsWith('-'))
    throw new StartupError('Name the backup file: npm run backup -- <file>')
  const file = resolve(env.INIT_CWD ?? '.', name)
  if (existsSync(file)) throw new StartupError(`${file} already exists. Choose another name.`)
  const config = readConfig(env)
  const secrets = openExistingSecrets(config)
  const database = await openInstalledDatabase(config)
  try {
    await orStartupError(
      asOwner(database.url, async (db) => {
        if (!(await hasTable(db, 'kysely_migration')))
          throw new StartupError('This database is empty. Start the service once, then back it up.')
      }),
    )
    const options = { databaseUrl: database.url, file, secrets, at: new Date(), progress: print }
    return { file, ...(await writeBackup(options)) }
  } catch (error) {
    throw explainWriteError(file, error)
  } finally {
    await database.close()
  }
}

export const command = withErrorOutput(async (terminal) => {
  const { file, rows, tables } = await backUp(terminal)
  terminal.print(`${file}: ${formatCount(rows, 'row')} of ${formatCount(tables, 'table')}.`)
  terminal.print("It contains the instance's secrets and all customer data. Keep it where only you can read it.")
  return 0
})

if (import.meta.main) await runCommand(command, process.env)
