/** npm run restore -- <backup> [--force]: restores an instance from a backup and verifies its ledger and counters. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { findBackup } from '../database/backup/backup-folder.ts'
import { openBackup, readBackup, requireComplete } from '../database/backup/read-backup.ts'
import { migrate } from '../database/schema/migrate.ts'
import { asOwner } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { verifyEverything } from '../tracking/payments/verify-payments.ts'
import { openEmptyDatabase } from './open-empty-database.ts'
import { formatCount, runCommand, type Terminal, withErrorOutput } from './terminal.ts'

const USAGE = 'Name the backup: npm run restore -- <file | folder | s3://bucket/folder | -> [--force]'

const restore = async ({ args, env, print }: Terminal) => {
  const [name, ...more] = args.filter((word) => word !== '--force')
  if (!name || more.length > 0 || (name.startsWith('-') && name !== '-')) throw new StartupError(USAGE)
  const config = readConfig(env)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const spool = join(config.dataDir, `restore-${process.pid}.part`)
  const found = await findBackup(name, config.backup, { cwd: env.INIT_CWD ?? '.', spool })
  try {
    return await restoreFile(found, { config, force: args.includes('--force'), print })
  } finally {
    found.remove()
  }
}

type Options = { config: Config; force: boolean; print: (line: string) => void }

const restoreFile = async ({ file, name }: { file: string; name: string }, { config, force, print }: Options) => {
  const { key } = config.backup
  const backup = await openBackup(file, key)
  print(`${name}: backup from ${backup.madeAt}. Checking that it is complete.`)
  await requireComplete(file, key)
  const database = await openEmptyDatabase(config, { secrets: backup.secrets, force })
  try {
    const rows = await readBackup(database.url, backup, print)
    print(`${formatCount(rows, 'row')} restored. Verifying:`)
    return await orStartupError(
      asOwner(database.url, async (db) => {
        // The backup may be older than this version, so migrate before verifying.
        await migrate(db)
        return verifyEverything(db, {
          sealedBefore: null,
          onProgram: (id, { differences }) => {
            for (const difference of differences) print(`program ${id}: DIFFERENCE: ${difference}`)
          },
        })
      }),
    )
  } finally {
    await database.close()
  }
}

export const command = withErrorOutput(async (terminal) => {
  const { programs, lines, differences } = await restore(terminal)
  terminal.print(
    `${formatCount(programs, 'program')}, ${formatCount(lines, 'ledger line')} and every counter: ${formatCount(differences, 'difference')}.`,
  )
  if (differences === 0) terminal.print('Restore complete. Start the service to continue.')
  return differences === 0 ? 0 : 1
})

if (import.meta.main) await runCommand(command, process.env)
