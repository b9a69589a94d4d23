/** tributary processor:reconcile: lists the processor's recent events and processes those that never arrived. */

import { systemClock } from '../clock.ts'
import { TRIBUTARY } from '../config/command-name.ts'
import { StartupError } from '../config/startup-error.ts'
import { createLog } from '../log.ts'
import { findProcessor, processors, unnamedProcessor } from '../processor/processors.ts'
import { reconcile } from '../processor/reconcile.ts'
import { Refusal } from '../refusal.ts'
import { deriveKey } from '../secrets.ts'
import { readOptions } from './options.ts'
import { formatCount, formatNumber, withErrorOutput } from './terminal.ts'
import { withServiceDatabase } from './with-service-database.ts'

const USAGE = `${TRIBUTARY} processor:reconcile --program 1 --days 7 --processor ${unnamedProcessor.name}`

/** The processor deletes older events. */
const MAX_DAYS = 30

export const command = withErrorOutput(async ({ args, env, print }) => {
  const {
    programId,
    days = '7',
    processor = unnamedProcessor.name,
  } = readOptions(args, ['program', 'days', 'processor'], USAGE)
  if (!findProcessor(processor))
    throw new StartupError(
      `--processor must be one of ${processors.map(({ name }) => name).join(', ')}. Usage: ${USAGE}`,
    )
  if (!/^\d{1,2}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS)
    throw new StartupError(`--days must be from 1 to ${MAX_DAYS}. Usage: ${USAGE}`)
  await withServiceDatabase(env, async ({ db, config, secrets }) => {
    const deps = {
      ...config,
      db,
      clock: systemClock,
      hashKey: secrets.hashKey,
      sealKey: deriveKey(secrets, 'processor signing secrets'),
      log: createLog('error'),
    }
    const onPage = ({ listed, recovered }: { listed: number; recovered: number }) =>
      print(`${formatCount(listed, 'event')} listed so far, ${formatNumber(recovered)} recovered`)
    const { listed, known, recovered } = await reconcile(deps, {
      programId,
      processor,
      days: Number(days),
      onPage,
    }).catch(toStartupError)
    print(
      `${formatCount(listed, 'event')} listed, ${formatNumber(known)} already received, ${formatNumber(recovered)} recovered`,
    )
  })
  return 0
})

/** Show a refusal as one sentence, as an API caller would see it. */
const toStartupError = (error: unknown): never => {
  throw error instanceof Refusal ? new StartupError(error.message) : error
}
