/** tributary processor:replay: processes stored events again, or shows what that would change. */

import { type ReplayAnswer, replayRequest } from '@tributary/contract'
import { systemClock } from '../clock.ts'
import { TRIBUTARY } from '../config/command-name.ts'
import { StartupError } from '../config/startup-error.ts'
import { createLog } from '../log.ts'
import { auditFor } from '../platform/audit.ts'
import { replayPage } from '../processor/replay.ts'
import { findProgram } from '../programs/programs.ts'
import { readOptions } from './options.ts'
import { type Terminal, withErrorOutput } from './terminal.ts'
import { withServiceDatabase } from './with-service-database.ts'

const USAGE = `${TRIBUTARY} processor:replay --program 1 --since 2026-11-01 [--dry-run]`

type Sale = ReplayAnswer['sales'][number]['after']

const describeSale = ({ partnerId, reason, amountCents, refundedCents, commissionCents }: Sale) =>
  `${amountCents} (${refundedCents} refunded), ${commissionCents} for ${partnerId === null ? reason : `partner ${partnerId}`}`

const report = ({ changes, sales, before, after }: ReplayAnswer, print: Terminal['print']) => {
  for (const { id, type, before: was, after: is } of changes)
    print(`${id} ${type}: ${was.fate} (${was.reason}) → ${is.fate} (${is.reason})`)
  for (const { before: was, after: is } of sales)
    print(
      `sale ${is.saleId} (${is.invoiceId}): ${was ? describeSale(was) : 'none'} → ${is.isVoided ? 'merged' : describeSale(is)}`,
    )
  if (before.sales !== after.sales || before.salesCents !== after.salesCents)
    print(`sales: ${before.sales} → ${after.sales}, in minor units ${before.salesCents} → ${after.salesCents}`)
  if (before.refundedCents !== after.refundedCents)
    print(`refunded, in minor units: ${before.refundedCents} → ${after.refundedCents}`)
}

export const command = withErrorOutput(async ({ args, env, print }) => {
  const { programId, since, dryRun } = readOptions(args, ['program', 'since', 'dry-run'], USAGE)
  const request = replayRequest.safeParse({ since, dryRun })
  if (!request.success) throw new StartupError(`--since must be a date. Usage: ${USAGE}`)
  await withServiceDatabase(env, async ({ db, config, secrets }) => {
    const program = await findProgram(db, programId)
    if (!program) throw new StartupError(`Program ${programId} does not exist.`)
    const deps = { db, clock: systemClock, hashKey: secrets.hashKey, cell: config.cell, log: createLog('error') }
    const audit = auditFor({ programId }, { userId: null })
    const from = { program, audit, since: new Date(request.data.since), dryRun }
    let [done, changed] = [0, 0]
    for (let after: string | null = ''; after !== null; ) {
      const page: ReplayAnswer = await replayPage(deps, { ...from, after: after || null })
      report(page, print)
      done += page.events
      changed += page.changes.length
      print(`${done} of ${done + page.remaining} events, ${changed} changed`)
      after = page.next
    }
    if (dryRun) print('Dry run: nothing was changed.')
  })
  return 0
})
