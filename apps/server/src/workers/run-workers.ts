import { CLICK_WRITERS } from '../compose.ts'
import { measuringAll } from './measure-all.ts'
import type { Assignment, FromWorker } from './messages.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const WELL_AFTER_MS = 60_000
const LEAVES_WITHIN_MS = 20_000

type Options = { count: number; assignment: Omit<Assignment, 'firstSlot'>; log: (line: string) => void }
type Place = { number: number; starts: number; worker: WorkerProcess }

/** Keeps so many workers serving: replaces one that ends unasked, and all of them one by one when told to. */
export const runWorkers = async ({ count, assignment, log }: Options) => {
  const places: Place[] = []
  let stopping = false
  let rolling: Promise<void> | null = null
  const measures = measuringAll(() => places.map(({ worker }) => worker))

  const onMessage = async (message: FromWorker, sender: WorkerProcess) => {
    if (message.kind === 'measures') measures.answered(message.question, message.values)
    else if (message.kind === 'measure-all')
      sender.tell({ kind: 'measured', question: message.question, text: await measures.text() })
    else if (message.kind === 'calls-counted')
      for (const { worker } of places) if (worker !== sender) worker.tell(message)
  }

  /** Two sets of slots a place, used in turn: the one before may still be writing its last batch. */
  const startAt = (number: number, starts: number) =>
    startWorker({ ...assignment, firstSlot: (2 * (number - 1) + (starts % 2)) * CLICK_WRITERS }, onMessage)

  const keepAlive = async (place: Place) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; ) {
      const { worker } = place
      const startedAt = Date.now()
      await worker.ended
      if (place.worker !== worker) continue // replaced, as it should be
      if (stopping) return
      pauseMs = Date.now() - startedAt > WELL_AFTER_MS ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      log(`Worker ${place.number} (process ${worker.pid}) ended unexpectedly and is being started again.`)
      await Bun.sleep(pauseMs)
      await restart(place)
    }
  }

  const restart = async (place: Place) => {
    if (stopping) return
    try {
      const next = await startAt(place.number, ++place.starts)
      place.worker = next
      if (stopping) next.tell({ kind: 'stop' })
    } catch (error) {
      log(error instanceof Error ? error.message : String(error))
    }
  }

  /** The replacement serves before the one before is told to leave, and meanwhile takes every new connection. */
  const replace = async (place: Place) => {
    const leaving = place.worker
    const next = await startAt(place.number, ++place.starts)
    next.tell({ kind: 'steer', place: count })
    await next.hear('steered')
    place.worker = next
    if (stopping) next.tell({ kind: 'stop' })
    leaving.tell({ kind: 'leave' })
    const late = setTimeout(leaving.kill, LEAVES_WITHIN_MS)
    await leaving.ended
    clearTimeout(late)
    next.tell({ kind: 'steer', place: -1 })
    await next.hear('steered')
  }

  const replaceAll = async () => {
    log(`Replacing ${count} workers, one after the other.`)
    for (const place of places) if (!stopping) await replace(place)
    log('All workers are replaced.')
  }

  for (let number = 1; number <= count; number++) places.push({ number, starts: 0, worker: await startAt(number, 0) })
  const kept = places.map(keepAlive)
  return {
    /** Replaces every worker without a failed call; asked again meanwhile, it goes on with what it does. */
    roll: () => {
      rolling ??= replaceAll()
        .catch((error: Error) => log(`The workers that served go on: ${error.message}`))
        .finally(() => {
          rolling = null
        })
      return rolling
    },
    stop: async () => {
      stopping = true
      for (const { worker } of places) worker.tell({ kind: 'stop' })
      await rolling
      await Promise.all(kept)
    },
  }
}
