/** npm run processor:reconcile: lists the processor's recent events and processes those that never arrived. */
import { systemClock } from '../clock.ts'
import { StartupError } from '../config/startup-error.ts'
import { createLog } from '../log.ts'
import { reconcile } from '../processor/reconcile.ts'
import { Refusal } from '../refusal.ts'
import { besideTheService } from './beside-the-service.ts'
import { counted, numbered } from './counted.ts'
import { readOptions } from './options.ts'
import { orSentence, runCommand } from './terminal.ts'

const USAGE = 'npm run processor:reconcile -- --program 1 --days 7'

/** The processor deletes older events. */
const MAX_DAYS = 30

export const command = orSentence(async ({ words, env, say }) => {
  const { programId, days = '7' } = readOptions(words, ['program', 'days'], USAGE)
  if (!/^\d{1,2}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS)
    throw new StartupError(`--days must be from 1 to ${MAX_DAYS}. Usage: ${USAGE}`)
  await besideTheService(env, async ({ db, config, secrets }) => {
    const deps = { db, clock: systemClock, hashKey: secrets.hashKey, log: createLog('error'), stripe: config.stripe }
    const onPage = ({ listed, taken }: { listed: number; taken: number }) =>
      say(`${counted(listed, 'event')} listed so far, ${numbered(taken)} recovered`)
    const { listed, known, taken } = await reconcile(deps, { programId, days: Number(days), onPage }).catch(asSentence)
    say(`${counted(listed, 'event')} listed, ${numbered(known)} already received, ${numbered(taken)} recovered`)
  })
  return 0
})

/** Show a refusal as one sentence, as an API caller would see it. */
const asSentence = (error: unknown): never => {
  throw error instanceof Refusal ? new StartupError(error.message) : error
}

if (import.meta.main) await runCommand(command, process.env)
