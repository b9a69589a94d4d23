/** npm run ledger:verify: recomputes what can be recomputed about the money, and says where it differs. */
import { readConfig } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { asOwner } from '../database/as-owner.ts'
import { isInService } from '../database/installed.ts'
import { orStartupError } from '../database/or-startup-error.ts'
import { refuseOtherVersions } from '../database/refuse-unsafe.ts'
import type { VerifiedProgram } from '../money/verify-ledger.ts'
import { verifyEverything } from '../tracking/verify-everything.ts'
import { counted } from './counted.ts'
import { openInstalledDatabase } from './open-database.ts'
import { refuseOptions } from './options.ts'

/** The service seals every minute; what a busy moment delays is not worth a word yet. */
const SEALED_WITHIN_MS = 5 * 60_000

const report = (programId: number, { lines, blocks, differences }: VerifiedProgram) => {
  console.log(`program ${programId}: ${counted(lines, 'ledger line')} in ${counted(blocks, 'block')}`)
  for (const difference of differences) console.log(`program ${programId}: DIFFERENCE: ${difference}`)
}

const verify = async () => {
  refuseOptions('npm run ledger:verify')
  const database = await openInstalledDatabase(readConfig(process.env))
  try {
    return await orStartupError(
      asOwner(database.url, async (db) => {
        await refuseOtherVersions(db)
        const sealedBefore = (await isInService(db)) ? new Date(Date.now() - SEALED_WITHIN_MS) : null
        return await verifyEverything(db, { sealedBefore, onProgram: report })
      }),
    )
  } finally {
    await database.close()
  }
}

try {
  const { programs, lines, blocks, differences } = await verify()
  console.log(
    `${counted(programs, 'program')}, ${counted(lines, 'ledger line')} in ${counted(blocks, 'block')}, ${counted(differences, 'difference')}`,
  )
  process.exitCode = differences === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  process.exitCode = 1
}
