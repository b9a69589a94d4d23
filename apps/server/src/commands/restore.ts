/** npm run restore -- <file> [--force]: restores an instance from a backup and verifies its ledger and counters. */
import { resolve } from 'node:path'
import { readConfig } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { openBackup, readBackup, requireComplete } from '../database/backup/read-backup.ts'
import { migrate } from '../database/schema/migrate.ts'
import { asOwner } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { verifyEverything } from '../tracking/payments/verify-payments.ts'
import { openEmptyDatabase } from './open-empty-database.ts'
import { formatCount, runCommand, type Terminal, withErrorOutput } from './terminal.ts'

const restore = async ({ args, env, print }: Terminal) => {
  const [name, ...more] = args.filter((word) => word !== '--force')
  if (!name || more.length > 0 || name.startsWith('-'))
    throw new StartupError('Name the backup file: npm run restore -- <file> [--force]')
  const file = resolve(env.INIT_CWD ?? '.', name)
  const backup = await openBackup(file)
  print(`Backup from ${backup.madeAt}. Checking that the file is complete.`)
  await requireComplete(file)
  const force = args.includes('--force')
  const database = await openEmptyDatabase(readConfig(env), { secrets: backup.secrets, force })
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
