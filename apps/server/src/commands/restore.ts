/** tributary restore <backup> [--to TIME] [--force]: restores an instance from a backup or archive and verifies its ledger and counters. */

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { VERSION } from '@tributary/contract/version'
import { TRIBUTARY } from '../config/command-name.ts'
import { type Config, readConfig } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { listArchives } from '../database/archive/choose-archive.ts'
import { findBackup } from '../database/backup/backup-places.ts'
import { openBackup, readBackup, requireComplete } from '../database/backup/read-backup.ts'
import { giveToOwner } from '../database/embedded/data-folder.ts'
import { migrate } from '../database/schema/migrate.ts'
import { asOwner } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { inTransaction } from '../database/transaction.ts'
import { beginEpoch } from '../outbox/epochs.ts'
import { verifyEverything } from '../tracking/payments/verify-payments.ts'
import { openEmptyDatabase } from './open-empty-database.ts'
import { openFromArchive, readTime } from './restore-archive.ts'
import { formatCount, type Terminal, withErrorOutput } from './terminal.ts'

const USAGE = `Name the backup: ${TRIBUTARY} restore <file | folder | s3://bucket/folder | -> [--force], or <archive folder> [--to TIME] [--force]`

const readArguments = (args: string[]) => {
  try {
    const options = { force: { type: 'boolean' }, to: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [name] = positionals
    if (!name || positionals.length > 1) throw new StartupError(USAGE)
    return { name, force: values.force ?? false, to: readTime(values.to) }
  } catch (error) {
    throw error instanceof StartupError ? error : new StartupError(USAGE)
  }
}

const restore = async ({ args, env, print }: Terminal) => {
  const { name, force, to } = readArguments(args)
  const config = readConfig(env)
  const cwd = env.INIT_CWD ?? '.'
  const archiveDir = resolve(cwd, name)
  if (listArchives(archiveDir).length > 0) {
    const database = await openFromArchive(config, { archiveDir, to, force, print })
    return verifyAndClose(database, print)
  }
  if (to) throw new StartupError(`--to needs the folder of ARCHIVE_DIR, and ${name} is not one.`)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const spool = join(config.dataDir, `restore-${process.pid}.part`)
  const found = await findBackup(name, config.backup, { cwd, spool })
  try {
    return await restoreFile(found, { config, force, print })
  } finally {
    found.remove()
  }
}

type Print = (line: string) => void
type Options = { config: Config; force: boolean; print: Print }

const restoreFile = async ({ file, name }: { file: string; name: string }, { config, force, print }: Options) => {
  const { key } = config.backup
  const backup = await openBackup(file, key)
  print(`${name}: backup from ${backup.madeAt}. Checking that it is complete.`)
  await requireComplete(file, key)
  const database = await openEmptyDatabase(config, { secrets: backup.secrets, force })
  try {
    const rows = await readBackup(database.url, backup, print)
    print(`${formatCount(rows, 'row')} restored.`)
  } catch (error) {
    await database.close()
    throw error
  }
  return verifyAndClose(database, print)
}

/** The previous version can read the backup, but it must restore it itself to verify it. */
const explainFailure = (error: Error) => {
  if (error instanceof StartupError) throw error
  throw new StartupError(
    `The data is restored, but its upgrade to ${VERSION} failed: ${error.message}. Install the previous version and run the same command with --force.`,
    { cause: error },
  )
}

const verifyAndClose = async ({ url, close }: { url: string; close: () => Promise<void> }, print: Print) => {
  print('Verifying:')
  try {
    return await orStartupError(
      asOwner(url, async (db) => {
        // The backup may be older than this version, so migrate before verifying.
        await orStartupError(migrate(db)).catch(explainFailure)
        await inTransaction(db, beginEpoch)
        return verifyEverything(db, {
          sealedBefore: null,
          onProgram: (id, { differences }) => {
            for (const difference of differences) print(`program ${id}: DIFFERENCE: ${difference}`)
          },
        })
      }),
    )
  } finally {
    await close()
  }
}

export const command = withErrorOutput(async (terminal) => {
  const { dataDir } = readConfig(terminal.env)
  const { programs, lines, differences } = await restore(terminal).finally(() => giveToOwner(dataDir))
  terminal.print(
    `${formatCount(programs, 'program')}, ${formatCount(lines, 'ledger line')} and every counter: ${formatCount(differences, 'difference')}.`,
  )
  if (differences === 0) terminal.print('Restore complete. Start the service to continue.')
  return differences === 0 ? 0 : 1
})
