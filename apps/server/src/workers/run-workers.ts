import { CLICK_WRITERS } from '../compose.ts'
import { SchemaDiffers } from '../database/schema/own-migrations.ts'
import { measuringAll } from './measure-all.ts'
import type { Assignment, FromWorker } from './messages.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const WELL_AFTER_MS = 60_000
const LEAVES_WITHIN_MS = 20_000

/** The port's list of listeners has the parent, and then the first worker. */
const BESIDE_PARENT = 1
const EVERYWHERE = -1

type Options = {
  count: number
  assignment: Omit<Assignment, 'firstSlot' | 'steeredTo'>
  log: (line: string) => void
  /** The first worker serves and is sent everybody; whoever had the port until now is to leave it. */
  onFirst: () => void
  /** The schema is another version's, and nobody can serve any more. */
  onMustStop: (sentence: string) => void
}
type Place = {
  number: number
  starts: number
  worker: WorkerProcess
  isServing: boolean
  complaint?: string
  /** Ends with the last start of a worker at this place. */
  turn: Promise<unknown>
}
type Crew = {
  places: Place[]
  stopping: boolean
  log: Options['log']
  onMustStop: Options['onMustStop']
  startAt: (number: number, starts: number, steeredTo?: number) => Promise<WorkerProcess>
}

/** Keeps so many workers serving: replaces one that ends unasked, and all of them one by one when told to. */
export const runWorkers = async ({ count, assignment, log, onFirst, onMustStop }: Options) => {
  const places: Place[] = []
  const onMessage = answering(places, onMustStop)
  /** Two sets of slots a place, used in turn: the one before may still be writing its last batch. */
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
    /** Replaces every worker without a failed call; asked again meanwhile, it goes on with what it does. */
    roll: () => {
      rolling ??= replaceAll(crew)
        .catch((error: Error) => log(`The workers that served go on: ${error.message}`))
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

/** What one worker asks of all of them, or tells all others. */
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

/** A crash and a replacement may want to start a worker at the same place: of two, one would never be told to stop. */
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
    if (place.worker !== worker) continue // replaced, as it should be
    if (crew.stopping) return
    pauseMs = Date.now() - startedAt > WELL_AFTER_MS ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    if (place.isServing)
      crew.log(`Worker ${place.number} (process ${worker.pid}) ended unexpectedly and is being started again.`)
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
    // No worker is left: a restart of the whole service migrates.
    if (error instanceof SchemaDiffers && isLast) return crew.onMustStop(complaint)
    // Newer code than the schema: the other workers go on, and this one is retried without repeating the reason.
    if (place.complaint !== complaint) crew.log(complaint)
    place.complaint = complaint
  }
}

const replaceAll = async (crew: Crew) => {
  crew.log(`Replacing ${crew.places.length} workers, one after the other.`)
  for (const place of crew.places) if (!crew.stopping) await inTurn(place, () => replace(crew, place))
  crew.log('All workers are replaced.')
}

/** The replacement serves before the one before is told to leave, and meanwhile takes every new connection. */
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
