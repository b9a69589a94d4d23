/** npm run restore -- <file> [--force]: an instance from a backup, and the proof that its money and counts are right. */
import { resolve } from 'node:path'
import { readConfig } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { asOwner } from '../database/as-owner.ts'
import { openBackup, readBackup, requireWhole } from '../database/backup/read-backup.ts'
import { migrate } from '../database/migrate.ts'
import { orStartupError } from '../database/or-startup-error.ts'
import { verifyEverything } from '../tracking/verify-everything.ts'
import { counted } from './counted.ts'
import { openEmptyDatabase } from './open-empty-database.ts'

const restore = async () => {
  const words = process.argv.slice(2)
  const [name, ...more] = words.filter((word) => word !== '--force')
  if (!name || more.length > 0 || name.startsWith('-'))
    throw new StartupError('Say where from: npm run restore -- <file> [--force]')
  const file = resolve(process.env.INIT_CWD ?? '.', name)
  const backup = await openBackup(file)
  console.log(`A backup of ${backup.madeAt}. Reading it once to see that it is whole.`)
  await requireWhole(file)
  const force = words.includes('--force')
  const database = await openEmptyDatabase(readConfig(process.env), { secrets: backup.secrets, force })
  try {
    const rows = await readBackup(database.url, backup, console.log)
    console.log(`${counted(rows, 'row')} read back. Verifying:`)
    return await orStartupError(
      asOwner(database.url, async (db) => {
        // The backup may be older than this version, which verifies what it would work with.
        await migrate(db)
        return verifyEverything(db, {
          sealedBefore: null,
          onProgram: (id, { differences }) => {
            for (const difference of differences) console.log(`program ${id}: DIFFERENCE: ${difference}`)
          },
        })
      }),
    )
  } finally {
    await database.close()
  }
}

try {
  const { programs, lines, differences } = await restore()
  console.log(
    `${counted(programs, 'program')}, ${counted(lines, 'ledger line')} and every counter: ${counted(differences, 'difference')}.`,
  )
  if (differences === 0) console.log('The instance is restored; npm start continues where the backup was made.')
  process.exitCode = differences === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  process.exitCode = 1
}
