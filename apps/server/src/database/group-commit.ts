import { Refusal } from '../refusal.ts'
import { isBadWeather, isLostConnection } from './bad-weather.ts'

type Waiting<Row, Result> = { row: Row; resolve: (result: Result) => void; reject: (error: unknown) => void }

export type GroupCommit<Row, Result> = {
  /** Resolves once the row is committed. */
  submit(row: Row): Promise<Result>
  waiting(): number
  /** Whether bad weather has kept rows from being written in the last seconds. */
  failedLately(): boolean
  /** Refuses new rows and resolves when all that were taken are answered. */
  drain(): Promise<void>
}

type Options<Row, Result> = {
  /** Writes all rows in one transaction, and must be safe to call again with rows that were committed already. */
  write: (rows: Row[], writer: number) => Promise<Result[]>
  writers: number
  maxBatch: number
  maxWaiting: number
  onBatch?: (size: number) => void
}

const LATELY_MS = 5_000

const overloaded = () =>
  new Refusal('overloaded', 'The service is busy and recorded nothing. Send the same call again in a second.', {
    retryAfterSeconds: 1,
  })

/**
 * Acknowledged means committed, and still fast: rows wait while a batch is being written, and the next batch is whatever
 * arrived meanwhile. There is no timer, so an idle service answers at once and a busy one batches by itself.
 */
export const groupCommit = <Row, Result>({
  write,
  writers,
  maxBatch,
  maxWaiting,
  onBatch,
}: Options<Row, Result>): GroupCommit<Row, Result> => {
  let queue: Waiting<Row, Result>[] = []
  let writing = 0
  const idle = Array.from({ length: writers }, (_, writer) => writer)
  let scheduled = false
  let drained: (() => void) | null = null
  let failedAt = Number.NEGATIVE_INFINITY

  const settle = async (batch: Waiting<Row, Result>[], writer: number): Promise<void> => {
    try {
      const results = await writeOrAskAgain(
        batch.map((entry) => entry.row),
        writer,
      )
      for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result)
    } catch (error) {
      if (isBadWeather(error)) failedAt = performance.now()
      // One row that Postgres will not take must not take its neighbours along: halve until it stands alone.
      if (batch.length === 1 || isBadWeather(error)) return batch.forEach((entry) => void entry.reject(error))
      const middle = batch.length >> 1
      await settle(batch.slice(0, middle), writer)
      await settle(batch.slice(middle), writer)
    }
  }

  /** A connection that broke may have committed before it broke. The write recognises its own rows, so ask once more. */
  const writeOrAskAgain = async (rows: Row[], writer: number) => {
    try {
      return await write(rows, writer)
    } catch (error) {
      if (!isLostConnection(error)) throw error
      return await write(rows, writer)
    }
  }

  /**
   * A batch costs as much as a dozen rows before the first row is in it. So while one is being written, another begins
   * only when it is no smaller; the writer that finishes last takes whatever waits.
   */
  const isWorthwhile = () => queue.length > 0 && queue.length >= Math.min(writing, maxBatch)

  const work = async (writer: number) => {
    while (isWorthwhile()) {
      const batch = queue.length <= maxBatch ? queue : queue.slice(0, maxBatch)
      queue = queue.length <= maxBatch ? [] : queue.slice(maxBatch)
      onBatch?.(batch.length)
      writing += batch.length
      await settle(batch, writer)
      writing -= batch.length
    }
    idle.push(writer)
    if (idle.length === writers) drained?.()
  }

  const start = () => {
    scheduled = false
    const writer = isWorthwhile() ? idle.pop() : undefined
    if (writer !== undefined) void work(writer)
  }

  return {
    submit: (row) => {
      if (drained || queue.length >= maxWaiting) return Promise.reject(overloaded())
      const result = new Promise<Result>((resolve, reject) => queue.push({ row, resolve, reject }))
      // Not at once: whatever else has arrived in this turn of the event loop goes into the same batch.
      if (!scheduled && idle.length > 0 && isWorthwhile()) {
        scheduled = true
        setImmediate(start)
      }
      return result
    },
    waiting: () => queue.length,
    failedLately: () => performance.now() - failedAt < LATELY_MS,
    drain: () =>
      new Promise((resolve) => {
        drained = resolve
        if (idle.length === writers && queue.length === 0) resolve()
      }),
  }
}
