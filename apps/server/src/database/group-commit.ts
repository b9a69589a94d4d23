import { Refusal } from '../refusal.ts'
import { isBadWeather, isLostConnection } from './bad-weather.ts'
import { overloaded } from './overloaded.ts'
import { pacing } from './pace.ts'

type Waiting<Row, Result> = {
  row: Row
  since: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export type GroupCommit<Row, Result> = {
  /** Resolves once the row is committed. */
  submit(row: Row): Promise<Result>
  waiting(): number
  /** How long the first in the queue has waited. */
  delayMs(): number
  /** Whether bad weather has kept rows from being written in the last seconds. */
  failedLately(): boolean
  /** Refuses new rows and resolves when all that were taken are answered. */
  drain(): Promise<void>
}

type Options<Row, Result> = {
  /** Writes all rows in one transaction. */
  write: (rows: Row[], writer: number) => Promise<Result[]>
  writers: number
  maxBatch: number
  maxWaiting: number
  /** Newcomers are refused once the first in the queue has waited so long, or they would: goodput stays, and nobody waits in vain. */
  maxDelayMs?: number
  /** However still the database stands, everybody has an answer by then. */
  answeredWithinMs?: number
  onBatch?: (size: number) => void
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

const LATELY_MS = 5_000
const SWEEP_MS = 200
/** As long as a timer can be set. */
const NEVER_MS = 2 ** 31 - 1

/** Whether they were written before the connection fell silent, nobody can say. */
const unanswered = () =>
  new Refusal('unavailable', 'The database did not answer in time. Send the same call again shortly.', {
    retryAfterSeconds: 2,
  })

/**
 * A connection that broke may have committed before it broke. For a write that recognises rows which are stored already: it is
 * asked once more.
 */
export const askingAgain =
  <Row, Result>(write: Options<Row, Result>['write']): typeof write =>
  async (rows, writer) => {
    try {
      return await write(rows, writer)
    } catch (error) {
      if (!isLostConnection(error)) throw error
      return await write(rows, writer)
    }
  }

/**
 * Acknowledged means committed, and still fast: rows wait while a batch is being written, and the next batch is whatever
 * arrived meanwhile. There is no timer, so an idle service answers at once and a busy one batches by itself.
 */
export const groupCommit = <Row, Result>({
  write,
  writers,
  maxBatch,
  maxWaiting,
  maxDelayMs = Number.POSITIVE_INFINITY,
  answeredWithinMs = NEVER_MS,
  onBatch,
  now = () => performance.now(),
}: Options<Row, Result>): GroupCommit<Row, Result> => {
  let queue: Waiting<Row, Result>[] = []
  let writing = 0
  const idle = Array.from({ length: writers }, (_, writer) => writer)
  let scheduled = false
  let drained: (() => void) | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  const pace = pacing({ writers, maxBatch, maxWaiting, maxDelayMs })

  const settle = async (batch: Waiting<Row, Result>[], writer: number): Promise<void> => {
    try {
      const results = await write(
        batch.map((entry) => entry.row),
        writer,
      )
      for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result)
    } catch (error) {
      if (isBadWeather(error)) failedAt = now()
      // One row that Postgres will not take must not take its neighbours along: halve until it stands alone.
      if (batch.length === 1 || isBadWeather(error)) return batch.forEach((entry) => void entry.reject(error))
      const middle = batch.length >> 1
      await settle(batch.slice(0, middle), writer)
      await settle(batch.slice(middle), writer)
    }
  }

  /**
   * A batch costs as much as a dozen rows before the first row is in it. So while one is being written, another begins
   * only when it is no smaller; the writer that finishes last takes whatever waits.
   */
  const isWorthwhile = () => queue.length > 0 && queue.length >= Math.min(writing, pace.mostRows())

  const takeBatch = () => {
    const all = queue
    const rows = pace.mostRows()
    queue = all.length <= rows ? [] : all.slice(rows)
    return all.length <= rows ? all : all.slice(0, rows)
  }

  const work = async (writer: number) => {
    while (isWorthwhile()) {
      const batch = takeBatch()
      const leftSomeWaiting = queue.length > 0
      onBatch?.(batch.length)
      writing += batch.length
      const startedAt = now()
      const waited = startedAt - (batch[0]?.since ?? 0)
      const late = setTimeout(() => refuse(batch, unanswered), answeredWithinMs - waited)
      await settle(batch, writer)
      clearTimeout(late)
      writing -= batch.length
      pace.learn({ rows: batch.length, tookMs: now() - startedAt, leftSomeWaiting })
    }
    idle.push(writer)
    if (idle.length === writers) drained?.()
  }

  const refuse = (entries: Waiting<Row, Result>[], why: () => Refusal) => {
    for (const entry of entries) entry.reject(why())
  }

  const delayMs = () => (queue[0] ? now() - queue[0].since : 0)

  /** Only rows that no writer has taken: of them it is certain that nothing was recorded. */
  const refuseLate = () => {
    if (delayMs() < 2 * maxDelayMs) return
    const latest = now() - 2 * maxDelayMs
    const stillGood = queue.findIndex((entry) => entry.since > latest)
    refuse(queue.splice(0, stillGood === -1 ? queue.length : stillGood), overloaded)
  }
  const sweeping = setInterval(refuseLate, SWEEP_MS)
  sweeping.unref()

  const start = () => {
    scheduled = false
    const writer = isWorthwhile() ? idle.pop() : undefined
    if (writer !== undefined) void work(writer)
  }

  return {
    submit: (row) => {
      if (drained || queue.length >= pace.mostWaiting() || delayMs() > maxDelayMs) return Promise.reject(overloaded())
      const result = new Promise<Result>((resolve, reject) => queue.push({ row, since: now(), resolve, reject }))
      // Not at once: whatever else has arrived in this turn of the event loop goes into the same batch.
      if (!scheduled && idle.length > 0 && isWorthwhile()) {
        scheduled = true
        setImmediate(start)
      }
      return result
    },
    waiting: () => queue.length,
    failedLately: () => now() - failedAt < LATELY_MS,
    delayMs,
    drain: () =>
      new Promise((resolve) => {
        clearInterval(sweeping)
        drained = resolve
        if (idle.length === writers && queue.length === 0) resolve()
      }),
  }
}
