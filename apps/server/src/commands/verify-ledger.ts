/**
 * npm run ledger:verify [-- --expect program:number:hash …]: recomputes the ledger and its balances, reports differences,
 * prints each program's head and compares heads that were saved elsewhere.
 */
import { readConfig } from '../config/config.ts'
import { isInService } from '../database/schema/installed.ts'
import { asOwner } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { refuseOtherVersions } from '../database/start/refuse-unsafe.ts'
import type { VerifiedProgram } from '../money/verify/verify-ledger.ts'
import { verifyEverything } from '../tracking/payments/verify-followed.ts'
import { counted } from './counted.ts'
import { compareHeads, readExpectedHeads, refuseUnknownPrograms, WrongExpectation } from './expected-heads.ts'
import { openInstalledDatabase } from './open-database.ts'
import { orSentence, runCommand, type Terminal } from './terminal.ts'

/** The service seals every minute; ignore lines that are only slightly late. */
const SEALED_WITHIN_MS = 5 * 60_000

const reportTo =
  (say: Terminal['say']) =>
  (programId: number, { lines, blocks, head, differences }: VerifiedProgram) => {
    say(`program ${programId}: ${counted(lines, 'ledger line')} in ${counted(blocks, 'block')}`)
    if (head) say(head)
    for (const difference of differences) say(sentenceOf(programId, difference))
  }

const sentenceOf = (programId: number, difference: string) => `program ${programId}: DIFFERENCE: ${difference}`

const verify = async ({ words, env, say }: Terminal) => {
  const expected = readExpectedHeads(words)
  const database = await openInstalledDatabase(readConfig(env))
  try {
    return await orStartupError(
      asOwner(database.url, async (db) => {
        await refuseOtherVersions(db)
        await refuseUnknownPrograms(db, expected)
        const sealedBefore = (await isInService(db)) ? new Date(Date.now() - SEALED_WITHIN_MS) : null
        const totals = await verifyEverything(db, { sealedBefore, onProgram: reportTo(say) })
        const missed = await compareHeads(db, expected)
        for (const { programId, difference } of missed) say(sentenceOf(programId, difference))
        return { ...totals, differences: totals.differences + missed.length }
      }),
    )
  } finally {
    await database.close()
  }
}

const verifyAndCount = async (terminal: Terminal) => {
  const { programs, lines, blocks, differences } = await verify(terminal)
  terminal.say(
    `${counted(programs, 'program')}, ${counted(lines, 'ledger line')} in ${counted(blocks, 'block')}, ${counted(differences, 'difference')}`,
  )
  return differences === 0 ? 0 : 1
}

export const command = orSentence(verifyAndCount, (error) => (error instanceof WrongExpectation ? 2 : 1))

if (import.meta.main) await runCommand(command, process.env)
