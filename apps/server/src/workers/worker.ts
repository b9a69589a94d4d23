/** One of several processes that serve requests on one port, started and stopped by its parent (run-workers.ts). */
import { systemClock } from '../clock.ts'
import { StartupError } from '../config/startup-error.ts'
import { SchemaDiffers } from '../database/schema/own-migrations.ts'
import { dropPrivileges } from '../drop-privileges.ts'
import { takePort } from '../listen.ts'
import { serve } from '../service.ts'
import type { Assignment, FromWorker, ToWorker } from './messages.ts'
import { steerConnections } from './steer-connections.ts'

const TELL_CALLS_MS = 250

const tell = (message: FromWorker) => void process.send?.(message)

/** Pending requests to the parent. */
const answers = new Map<number, (text: string) => void>()
let questions = 0
const metricsOfAll = () => {
  const question = ++questions
  return new Promise<string>((resolve) => {
    answers.set(question, resolve)
    tell({ kind: 'measure-all', question })
  })
}

const begin = async ({ firstSlot, steeredTo, instead, ...assignment }: Assignment) => {
  const listen = () => {
    const port = takePort({ ...assignment.config, shared: true })
    if (steeredTo >= 0) steerConnections(steeredTo)
    return port
  }
  const seat = { firstSlot, metricsOfAll }
  const service = await serve({ ...assignment, clock: systemClock, listen, seat })
  if (instead) dropPrivileges(instead)
  const telling = setInterval(() => {
    const told = service.limits.tell()
    if (Object.values(told).some((calls) => calls.length > 0)) tell({ kind: 'calls-counted', told })
  }, TELL_CALLS_MS)
  void service.mustStop.then((sentence) => tell({ kind: 'must-stop', sentence }))
  return {
    ...service,
    stop: async () => {
      clearInterval(telling)
      await service.stop()
    },
  }
}

let running: ReturnType<typeof begin> | null = null

const end = async ({ politely }: { politely: boolean }) => {
  const service = await running
  if (politely) await service?.leave()
  await service?.stop()
  process.exit(0)
}

const fail = (error: unknown) => {
  const sentence = error instanceof StartupError ? error.message : Bun.inspect(error)
  tell({ kind: 'failed', sentence, schemaDiffers: error instanceof SchemaDiffers })
  setTimeout(() => process.exit(1), 100) // let the message be sent first
}

const obey = async (message: ToWorker) => {
  if (message.kind === 'serve') {
    running = begin(message.assignment)
    await running
    tell({ kind: 'serving' })
  } else if (message.kind === 'leave') await end({ politely: true })
  else if (message.kind === 'stop') await end({ politely: false })
  else if (message.kind === 'steer') {
    steerConnections(message.place)
    tell({ kind: 'steered' })
  } else if (message.kind === 'measured') {
    answers.get(message.question)?.(message.text)
    answers.delete(message.question)
  } else if (message.kind === 'calls-counted') (await running)?.limits.hear(message.told)
  else if (message.kind === 'measure' && running)
    tell({ kind: 'measures', question: message.question, values: await (await running).metrics.values() })
}

process.on('unhandledRejection', (reason) => console.error('unhandled rejection', reason))
// Ctrl-C reaches every process of the terminal; wait for the parent's message instead.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
process.on('SIGTERM', () => void end({ politely: false }))
// Without the parent this process would not be supervised, and the database may be gone too.
process.on('disconnect', () => process.exit(1))
process.on('message', (message: ToWorker) => void obey(message).catch(fail))
tell({ kind: 'ready' })
