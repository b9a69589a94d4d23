import { CLICK_WRITERS } from '../compose.ts'
import { SchemaDiffers } from '../database/schema/own-migrations.ts'
import { measuringAll } from './measure-all.ts'
import type { Assignment, FromWorker } from './messages.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const WELL_AFTER_MS = 60_000
const LEAVES_WITHIN_MS = 20_000

/** Position of the first worker among the port's listeners, after the parent. */
const BESIDE_PARENT = 1
const EVERYWHERE = -1

type Options = {
  count: number
  assignment: Omit<Assignment, 'firstSlot' | 'steeredTo'>
  log: (line: string) => void
  /** The first worker serves and receives all connections; the previous holder of the port must release it. */
  onFirst: () => void
  /** The schema is another version's, so no worker can serve. */
  onMustStop: (sentence: string) => void
}
type Place = {
  number: number
  starts: number
  worker: WorkerProcess
  isServing: boolean
  complaint?: string
  /** Resolves when the latest start in this slot has finished. */
  turn: Promise<unknown>
}
type Crew = {
  places: Place[]
  stopping: boolean
  log: Options['log']
  onMustStop: Options['onMustStop']
  startAt: (number: number, starts: number, steeredTo?: number) => Promise<WorkerProcess>
}

/** Keeps `count` workers running: restarts crashed ones, and replaces all of them one by one on request. */
export const runWorkers = async ({ count, assignment, log, onFirst, onMustStop }: Options) => {
  const places: Place[] = []
  const onMessage = answering(places, onMustStop)
  /** Each slot alternates between two sets of counter slots, because the previous worker may still be writing. */
  const startAt: Crew['startAt'] = (number, starts, steeredTo = EVERYWHERE) => {
    const firstSlot = (2 * (number - 1) + (starts % 2)) * CLICK_WRITERS
    return startWorker({ ...assignment, firstSlot, steeredTo }, onMessage)
  }
  const crew: Crew = { places, stopping: false, log, onMustStop, startAt }
  let rolling: Promise<void> | null = null

  const first = await startAt(1, 0, BESIDE_PARENT)
  places.push({ number: 1, starts: 0, worker: first, isServing: true, turn: Promise.resolve() })
  onFirst()
  await steer(first, EVERYWHERE)
  for (let number = 2; number <= count; number++)
    places.push({ number, starts: 0, worker: await startAt(number, 0), isServing: true, turn: Promise.resolve() })
  const kept = places.map((place) => keepAlive(crew, place))
  return {
    /** Replaces every worker without failing a request. A call during a replacement returns the same promise. */
    roll: () => {
      rolling ??= replaceAll(crew)
        .catch((error: Error) => log(`Replacement failed; the current workers keep serving: ${error.message}`))
        .finally(() => {
          rolling = null
        })
      return rolling
    },
    stop: async () => {
      crew.stopping = true
      for (const { worker } of places) worker.tell({ kind: 'stop' })
      await rolling
      await Promise.all(kept)
    },
  }
}

const steer = async (worker: WorkerProcess, place: number) => {
  worker.tell({ kind: 'steer', place })
  await worker.hear('steered')
}

/** Handles messages that concern all workers. */
const answering = (places: Place[], onMustStop: Options['onMustStop']) => {
  const measures = measuringAll(() => places.map(({ worker }) => worker))
  return async (message: FromWorker, sender: WorkerProcess) => {
    if (message.kind === 'must-stop') onMustStop(message.sentence)
    else if (message.kind === 'measures') measures.answered(message.question, message.values)
    else if (message.kind === 'measure-all')
      sender.tell({ kind: 'measured', question: message.question, text: await measures.text() })
    else if (message.kind === 'calls-counted')
      for (const { worker } of places) if (worker !== sender) worker.tell(message)
  }
}

/** Serializes a restart and a replacement in one slot: otherwise one of two new workers would never be told to stop. */
const inTurn = (place: Place, work: () => Promise<void>) => {
  const mine = place.turn.then(work)
  place.turn = mine.catch(() => {})
  return mine
}

const keepAlive = async (crew: Crew, place: Place) => {
  for (let pauseMs = FIRST_PAUSE_MS; ; ) {
    const { worker } = place
    const startedAt = Date.now()
    await worker.ended
    if (place.worker !== worker) continue // replaced on request
    if (crew.stopping) return
    pauseMs = Date.now() - startedAt > WELL_AFTER_MS ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    if (place.isServing)
      crew.log(`Worker ${place.number} (process ${worker.pid}) exited unexpectedly and is being restarted.`)
    place.isServing = false
    await Bun.sleep(pauseMs)
    await inTurn(place, async () => {
      if (place.worker === worker) await restart(crew, place)
    })
  }
}

const restart = async (crew: Crew, place: Place) => {
  if (crew.stopping) return
  try {
    const next = await crew.startAt(place.number, ++place.starts)
    Object.assign(place, { worker: next, isServing: true, complaint: undefined })
    if (crew.stopping) next.tell({ kind: 'stop' })
  } catch (error) {
    const complaint = error instanceof Error ? error.message : String(error)
    const isLast = !crew.places.some(({ isServing }) => isServing)
    // No worker is left: restarting the whole service runs the migrations.
    if (error instanceof SchemaDiffers && isLast) return crew.onMustStop(complaint)
    // The code is newer than the schema: the other workers keep serving, and this one retries without logging again.
    if (place.complaint !== complaint) crew.log(complaint)
    place.complaint = complaint
  }
}

const replaceAll = async (crew: Crew) => {
  crew.log(`Replacing ${crew.places.length} workers one by one.`)
  for (const place of crew.places) if (!crew.stopping) await inTurn(place, () => replace(crew, place))
  crew.log('All workers have been replaced.')
}

/** The replacement starts first and receives all new connections while the old worker drains. */
const replace = async (crew: Crew, place: Place) => {
  const leaving = place.worker
  const next = await crew.startAt(place.number, ++place.starts)
  await steer(next, crew.places.length)
  Object.assign(place, { worker: next, isServing: true, complaint: undefined })
  if (crew.stopping) next.tell({ kind: 'stop' })
  leaving.tell({ kind: 'leave' })
  const late = setTimeout(leaving.kill, LEAVES_WITHIN_MS)
  await leaving.ended
  clearTimeout(late)
  await steer(next, EVERYWHERE)
}
