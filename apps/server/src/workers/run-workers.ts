import { spawn } from 'node:child_process'
import { extname } from 'node:path'
import { CLICK_WRITERS } from '../compose.ts'
import { StartupError } from '../config/startup-error.ts'
import { SchemaMismatch } from '../database/schema/own-migrations.ts'
import { addCounters, aggregateText, type MetricValues } from '../metrics.ts'
import type { Assignment, FromWorker, ToWorker } from './messages.ts'

const MIN_DELAY_MS = 100
const MAX_DELAY_MS = 5_000
const STABLE_AFTER_MS = 60_000
const DRAIN_TIMEOUT_MS = 20_000

/** Position of the first worker among the port's listeners, after the parent. */
const FIRST_WORKER = 1
const ALL_LISTENERS = -1

type Options = {
  count: number
  assignment: Omit<Assignment, 'number' | 'firstSlot' | 'steerTo'>
  tell: (level: 'info' | 'warn', sentence: string) => void
  /** The first worker serves and receives all connections; the previous holder of the port must release it. */
  onFirst: () => void
  /** The schema is another version's, so no worker can serve. */
  onMustStop: (reason: string) => void
}
type Entry = {
  number: number
  starts: number
  worker: WorkerProcess
  isServing: boolean
  lastError?: string
  /** Resolves when the latest start has finished. */
  lastStart: Promise<unknown>
}
type WorkerGroup = {
  entries: Entry[]
  stopping: boolean
  tell: Options['tell']
  onMustStop: Options['onMustStop']
  startAt: (number: number, starts: number, steerTo?: number) => Promise<WorkerProcess>
}

/** Keeps `count` workers running: restarts crashed ones, and replaces all of them one by one on request. */
export const runWorkers = async ({ count, assignment, tell, onFirst, onMustStop }: Options) => {
  const entries: Entry[] = []
  const collector = createMetricsCollector()
  const onMessage = handleMessages(entries, { collector, onMustStop })
  /** Alternates between two sets of counter slots, because the previous worker may still be writing. */
  const startAt: WorkerGroup['startAt'] = async (number, starts, steerTo = ALL_LISTENERS) => {
    const firstSlot = (2 * (number - 1) + (starts % 2)) * CLICK_WRITERS
    const worker = await startWorker({ ...assignment, number, firstSlot, steerTo }, onMessage)
    collector.add(worker)
    return worker
  }
  const group: WorkerGroup = { entries, stopping: false, tell, onMustStop, startAt }
  let rolling: Promise<void> | null = null

  const first = await startAt(1, 0, FIRST_WORKER)
  entries.push({ number: 1, starts: 0, worker: first, isServing: true, lastStart: Promise.resolve() })
  onFirst()
  await steer(first, ALL_LISTENERS)
  for (let number = 2; number <= count; number++)
    entries.push({ number, starts: 0, worker: await startAt(number, 0), isServing: true, lastStart: Promise.resolve() })
  const supervised = entries.map((entry) => supervise(group, entry))
  return {
    /** Replaces every worker without failing a request. A call during a replacement returns the same promise. */
    roll: () => {
      rolling ??= replaceAll(group)
        .catch((error: Error) => tell('warn', `Replacement failed; the current workers keep serving: ${error.message}`))
        .finally(() => {
          rolling = null
        })
      return rolling
    },
    stop: async () => {
      group.stopping = true
      for (const { worker } of entries) worker.send({ kind: 'stop' })
      await rolling
      await Promise.all(supervised)
    },
  }
}

const steer = async (worker: WorkerProcess, position: number) => {
  worker.send({ kind: 'steer', position })
  await worker.waitFor('steered')
}

type MessageHandlers = Pick<Options, 'onMustStop'> & { collector: ReturnType<typeof createMetricsCollector> }

/** Handles messages that concern all workers. */
const handleMessages =
  (entries: Entry[], { collector, onMustStop }: MessageHandlers) =>
  async (message: FromWorker, sender: WorkerProcess) => {
    if (message.kind === 'must-stop') onMustStop(message.reason)
    else if (message.kind === 'metrics') collector.onMetrics(sender, message)
    else if (message.kind === 'get-all-metrics')
      sender.send({ kind: 'all-metrics', requestId: message.requestId, text: await collector.text() })
    else if (message.kind === 'calls-counted')
      for (const { worker } of entries) if (worker !== sender) worker.send(message)
  }

/** Serializes a restart and a replacement of one worker: otherwise one of two new processes would never receive a stop. */
const serialize = (entry: Entry, work: () => Promise<void>) => {
  const started = entry.lastStart.then(work)
  entry.lastStart = started.catch(() => {})
  return started
}

const supervise = async (group: WorkerGroup, entry: Entry) => {
  for (let delayMs = MIN_DELAY_MS; ; ) {
    const { worker } = entry
    const startedAt = Date.now()
    await worker.ended
    if (entry.worker !== worker) continue // replaced on request
    if (group.stopping) return
    delayMs = Date.now() - startedAt > STABLE_AFTER_MS ? MIN_DELAY_MS : Math.min(delayMs * 2, MAX_DELAY_MS)
    if (entry.isServing)
      group.tell('warn', `Worker ${entry.number} (process ${worker.pid}) exited unexpectedly and is being restarted.`)
    entry.isServing = false
    await Bun.sleep(delayMs)
    await serialize(entry, async () => {
      if (entry.worker === worker) await restart(group, entry)
    })
  }
}

const restart = async (group: WorkerGroup, entry: Entry) => {
  if (group.stopping) return
  try {
    const next = await group.startAt(entry.number, ++entry.starts)
    Object.assign(entry, { worker: next, isServing: true, lastError: undefined })
    if (group.stopping) next.send({ kind: 'stop' })
  } catch (error) {
    const lastError = error instanceof Error ? error.message : String(error)
    const isLast = !group.entries.some(({ isServing }) => isServing)
    // No worker is left: restarting the whole service runs the migrations.
    if (error instanceof SchemaMismatch && isLast) return group.onMustStop(lastError)
    // The code is newer than the schema: the other workers keep serving, and this one retries without logging again.
    if (entry.lastError !== lastError) group.tell('warn', lastError)
    entry.lastError = lastError
  }
}

const replaceAll = async (group: WorkerGroup) => {
  group.tell('info', `Replacing ${group.entries.length} workers one by one.`)
  for (const entry of group.entries) if (!group.stopping) await serialize(entry, () => replace(group, entry))
  group.tell('info', 'All workers have been replaced.')
}

/** The replacement starts first and receives all new connections while the old worker drains. */
const replace = async (group: WorkerGroup, entry: Entry) => {
  const retiring = entry.worker
  const next = await group.startAt(entry.number, ++entry.starts)
  await steer(next, group.entries.length)
  Object.assign(entry, { worker: next, isServing: true, lastError: undefined })
  if (group.stopping) next.send({ kind: 'stop' })
  retiring.send({ kind: 'drain' })
  const timeout = setTimeout(retiring.kill, DRAIN_TIMEOUT_MS)
  await retiring.ended
  clearTimeout(timeout)
  await steer(next, ALL_LISTENERS)
}

/** A worker that is exiting does not reply; report its latest values. */
const TIMEOUT_MS = 1_000

/**
 * Collects and aggregates the metrics of all workers. Counters of ended workers are kept: a counter that decreases looks like a
 * restart of the service, and Prometheus would count everything twice.
 */
const createMetricsCollector = () => {
  const latest = new Map<WorkerProcess, MetricValues>()
  const pending = new Map<number, () => void>()
  let requestCount = 0
  let ended: Promise<MetricValues> = Promise.resolve([])

  const refresh = (worker: WorkerProcess) => {
    const requestId = ++requestCount
    const replied = new Promise<void>((resolve) => pending.set(requestId, resolve))
    worker.send({ kind: 'get-metrics', requestId })
    return Promise.race([replied, worker.ended, Bun.sleep(TIMEOUT_MS)]).finally(() => pending.delete(requestId))
  }

  return {
    /** From its first request to its last: a retiring worker serves next to its replacement. */
    add: (worker: WorkerProcess) => {
      latest.set(worker, [])
      void worker.ended.then(() => {
        const last = latest.get(worker) ?? []
        latest.delete(worker)
        ended = ended.then((sum) => addCounters([sum, last]))
      })
    },
    onMetrics: (worker: WorkerProcess, { requestId, values }: { requestId: number; values: MetricValues }) => {
      latest.set(worker, values)
      pending.get(requestId)?.()
    },
    text: async () => {
      await Promise.all([...latest.keys()].map(refresh))
      return aggregateText([await ended, ...latest.values()])
    },
  }
}

/** Sources are TypeScript, the published package is JavaScript. */
const WORKER_FILE = `${import.meta.dir}/worker${extname(import.meta.path)}`

type WorkerProcess = {
  pid: number
  ended: Promise<void>
  send(message: ToWorker): void
  /** Resolves with the next message of this kind. */
  waitFor(kind: FromWorker['kind']): Promise<void>
  kill(): void
}

/** Starts a worker and resolves when it serves; throws its error message if it does not start. */
const startWorker = (
  assignment: Assignment,
  onMessage: (message: FromWorker, worker: WorkerProcess) => void,
): Promise<WorkerProcess> => {
  const child = spawn(process.execPath, [WORKER_FILE], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const listeners = new Map<FromWorker['kind'], () => void>()
  let failure = new StartupError('A worker exited before it was ready.')
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const worker: WorkerProcess = {
    pid: child.pid ?? 0,
    ended,
    // A worker that has just exited ignores messages; `ended` covers that case.
    send: (message) => void (child.connected && child.send(message, () => {})),
    waitFor: (kind) => Promise.race([ended, new Promise<void>((resolve) => listeners.set(kind, resolve))]),
    kill: () => void child.kill('SIGKILL'),
  }
  return new Promise((resolve, reject) => {
    ended.then(() => reject(failure))
    child.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') worker.send({ kind: 'serve', assignment })
      else if (message.kind === 'serving') resolve(worker)
      else if (message.kind === 'failed')
        failure = message.isSchemaMismatch ? new SchemaMismatch(message.reason) : new StartupError(message.reason)
      listeners.get(message.kind)?.()
      onMessage(message, worker)
    })
  })
}
