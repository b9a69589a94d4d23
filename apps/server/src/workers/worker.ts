/** One of several processes that serve requests on one port, started and stopped by its parent (run-workers.ts). */
import { systemClock } from '../clock.ts'
import { StartupError } from '../config/startup-error.ts'
import { SchemaMismatch } from '../database/schema/own-migrations.ts'
import { takePort } from '../listen.ts'
import { captureOutput, createLog } from '../log.ts'
import type { MetricValues } from '../metrics.ts'
import { serve } from '../service.ts'
import { dropPrivileges } from '../startup/drop-privileges.ts'
import type { Assignment, FromWorker, ToWorker } from './messages.ts'
import { steerConnections } from './steer-connections.ts'

const SHARE_CALLS_MS = 250

const send = (message: FromWorker) => void process.send?.(message)

/** Pending requests to the parent. */
const pending = new Map<number, (text: string) => void>()
let requestCount = 0
const aggregateMetrics = () => {
  const requestId = ++requestCount
  return new Promise<string>((resolve) => {
    pending.set(requestId, resolve)
    send({ kind: 'get-all-metrics', requestId })
  })
}

const startServing = async ({ number, firstSlot, steerTo, serviceAccount, ...assignment }: Assignment) => {
  captureOutput(createLog(assignment.config.logLevel, { node: assignment.config.node, worker: number }))
  const listen = () => {
    const port = takePort({ ...assignment.config, shared: true })
    if (steerTo >= 0) steerConnections(steerTo)
    return port
  }
  const worker = { number, firstSlot, aggregateMetrics }
  const service = await serve({ ...assignment, clock: systemClock, listen, worker })
  if (serviceAccount) dropPrivileges(serviceAccount)
  const timer = setInterval(() => {
    const counts = service.limits.takeCounts()
    if (Object.values(counts).some((calls) => calls.length > 0)) send({ kind: 'calls-counted', counts })
  }, SHARE_CALLS_MS)
  void service.mustStop.then((reason) => send({ kind: 'must-stop', reason }))
  return {
    ...service,
    stop: async () => {
      clearInterval(timer)
      await service.stop()
    },
  }
}

let running: ReturnType<typeof startServing> | null = null

const exit = async ({ drainFirst }: { drainFirst: boolean }) => {
  const service = await running
  if (drainFirst) await service?.drain()
  await service?.stop()
  if (service) await sendLastMetrics(await service.metrics.values())
  process.exit(0)
}

/** Counts since the last scrape. */
const sendLastMetrics = (values: MetricValues) =>
  new Promise<void>((resolve) => {
    const message: FromWorker = { kind: 'metrics', requestId: 0, values }
    process.send?.(message, undefined, undefined, () => resolve())
    setTimeout(resolve, 1_000) // the parent may be gone
  })

const fail = (error: unknown) => {
  const reason = error instanceof StartupError ? error.message : Bun.inspect(error)
  send({ kind: 'failed', reason, isSchemaMismatch: error instanceof SchemaMismatch })
  setTimeout(() => process.exit(1), 100) // let the message be sent first
}

const handleMessage = async (message: ToWorker) => {
  if (message.kind === 'serve') {
    running = startServing(message.assignment)
    await running
    send({ kind: 'serving' })
  } else if (message.kind === 'drain') await exit({ drainFirst: true })
  else if (message.kind === 'stop') await exit({ drainFirst: false })
  else if (message.kind === 'steer') {
    steerConnections(message.position)
    send({ kind: 'steered' })
  } else if (message.kind === 'all-metrics') {
    pending.get(message.requestId)?.(message.text)
    pending.delete(message.requestId)
  } else if (message.kind === 'calls-counted') (await running)?.limits.addCounts(message.counts)
  else if (message.kind === 'get-metrics' && running)
    send({ kind: 'metrics', requestId: message.requestId, values: await (await running).metrics.values() })
}

// Ctrl-C reaches every process of the terminal; wait for the parent's message instead.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
process.on('SIGTERM', () => void exit({ drainFirst: false }))
// Without the parent this process would not be supervised, and the database may be gone too.
process.on('disconnect', () => process.exit(1))
process.on('message', (message: ToWorker) => void handleMessage(message).catch(fail))
send({ kind: 'ready' })
