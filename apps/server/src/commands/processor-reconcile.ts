/** npm run processor:reconcile: asks the processor what it has sent, and takes what never arrived. */
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

/** The processor keeps events no longer. */
const MAX_DAYS = 30

export const command = orSentence(async ({ words, env, say }) => {
  const { programId, days = '7' } = readOptions(words, ['program', 'days'], USAGE)
  if (!/^\d{1,2}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS)
    throw new StartupError(`Say from 1 to ${MAX_DAYS} days, and use it as ${USAGE}`)
  await besideTheService(env, async ({ db, config, secrets }) => {
    const deps = { db, clock: systemClock, hashKey: secrets.hashKey, log: createLog('error'), stripe: config.stripe }
    const onPage = ({ listed, taken }: { listed: number; taken: number }) =>
      say(`${counted(listed, 'event')} listed so far, ${numbered(taken)} taken`)
    const { listed, known, taken } = await reconcile(deps, { programId, days: Number(days), onPage }).catch(asSentence)
    say(`${counted(listed, 'event')} listed, ${numbered(known)} had arrived before, ${numbered(taken)} taken now`)
  })
  return 0
})

/** What a route would refuse can be mended here too. */
const asSentence = (error: unknown): never => {
  throw error instanceof Refusal ? new StartupError(error.message) : error
}

if (import.meta.main) await runCommand(command, process.env)
