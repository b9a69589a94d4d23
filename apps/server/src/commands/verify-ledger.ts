/**
 * tributary verify [--expect program:number:hash …]: recomputes the ledger and its balances, reports differences,
 * prints each program's head and compares heads that were saved elsewhere.
 */
import { readConfig } from '../config/config.ts'
import { isServiceRunning } from '../database/schema/installed.ts'
import { asOwner } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { refuseOtherVersions } from '../database/start/refuse-unsafe.ts'
import type { VerifiedProgram } from '../money/verify/verify-ledger.ts'
import { verifyEverything } from '../tracking/payments/verify-payments.ts'
import { compareHeads, InvalidExpectedHead, readExpectedHeads, refuseUnknownPrograms } from './expected-heads.ts'
import { openInstalledDatabase } from './open-database.ts'
import { formatCount, type Terminal, withErrorOutput } from './terminal.ts'

/** The service seals every minute; ignore lines that are only slightly late. */
const SEALED_WITHIN_MS = 5 * 60_000

const printProgram =
  (print: Terminal['print']) =>
  (programId: number, { lines, blocks, head, differences }: VerifiedProgram) => {
    print(`program ${programId}: ${formatCount(lines, 'ledger line')} in ${formatCount(blocks, 'block')}`)
    if (head) print(head)
    for (const difference of differences) print(formatDifference(programId, difference))
  }

const formatDifference = (programId: number, difference: string) => `program ${programId}: DIFFERENCE: ${difference}`

const verify = async ({ args, env, print }: Terminal) => {
  const expected = readExpectedHeads(args)
  const database = await openInstalledDatabase(readConfig(env))
  try {
    return await orStartupError(
      asOwner(database.url, async (db) => {
        await refuseOtherVersions(db)
        await refuseUnknownPrograms(db, expected)
        const sealedBefore = (await isServiceRunning(db)) ? new Date(Date.now() - SEALED_WITHIN_MS) : null
        const totals = await verifyEverything(db, { sealedBefore, onProgram: printProgram(print) })
        const mismatches = await compareHeads(db, expected)
        for (const { programId, difference } of mismatches) print(formatDifference(programId, difference))
        return { ...totals, differences: totals.differences + mismatches.length }
      }),
    )
  } finally {
    await database.close()
  }
}

const verifyAndCount = async (terminal: Terminal) => {
  const { programs, lines, blocks, differences } = await verify(terminal)
  terminal.print(
    `${formatCount(programs, 'program')}, ${formatCount(lines, 'ledger line')} in ${formatCount(blocks, 'block')}, ${formatCount(differences, 'difference')}`,
  )
  return differences === 0 ? 0 : 1
}

export const command = withErrorOutput(verifyAndCount, (error) => (error instanceof InvalidExpectedHead ? 2 : 1))
