/**
 * npm run ledger:verify [-- --expect program:number:hash …]: recomputes what can be recomputed about the money, says where it
 * differs, prints the head of each program's ledger, and compares heads that were kept elsewhere.
 */
import { readConfig } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { asOwner } from '../database/as-owner.ts'
import { isInService } from '../database/installed.ts'
import { orStartupError } from '../database/or-startup-error.ts'
import { refuseOtherVersions } from '../database/refuse-unsafe.ts'
import type { VerifiedProgram } from '../money/verify-ledger.ts'
import { verifyEverything } from '../tracking/verify-everything.ts'
import { counted } from './counted.ts'
import { missedHeads, readExpectedHeads, WrongExpectation } from './expected-heads.ts'
import { openInstalledDatabase } from './open-database.ts'

/** The service seals every minute; what a busy moment delays is not worth a word yet. */
const SEALED_WITHIN_MS = 5 * 60_000

const report = (programId: number, { lines, blocks, head, differences }: VerifiedProgram) => {
  console.log(`program ${programId}: ${counted(lines, 'ledger line')} in ${counted(blocks, 'block')}`)
  if (head) console.log(head)
  for (const difference of differences) console.log(`program ${programId}: DIFFERENCE: ${difference}`)
}

const verify = async () => {
  const expected = readExpectedHeads(process.argv.slice(2))
  const database = await openInstalledDatabase(readConfig(process.env))
  try {
    return await orStartupError(
      asOwner(database.url, async (db) => {
        await refuseOtherVersions(db)
        const sealedBefore = (await isInService(db)) ? new Date(Date.now() - SEALED_WITHIN_MS) : null
        const totals = await verifyEverything(db, { sealedBefore, onProgram: report })
        return { ...totals, missed: await missedHeads(db, expected) }
      }),
    )
  } finally {
    await database.close()
  }
}

try {
  const { programs, lines, blocks, differences, missed } = await verify()
  console.log(
    `${counted(programs, 'program')}, ${counted(lines, 'ledger line')} in ${counted(blocks, 'block')}, ${counted(differences, 'difference')}`,
  )
  for (const sentence of missed) console.error(sentence)
  process.exitCode = differences === 0 && missed.length === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  process.exitCode = error instanceof WrongExpectation ? 2 : 1
}
