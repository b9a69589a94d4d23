import { overloaded, Refusal } from '../refusal.ts'
import { isLostConnection, isTransientError } from './transient-errors.ts'

type QueuedRow<Row, Result> = {
  row: Row
  since: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export type GroupCommit<Row, Result> = {
  /** Resolves once the row is committed. */
  submit(row: Row): Promise<Result>
  waiting(): number
  /** Age of the oldest queued row. */
  delayMs(): number
  /** Whether a transient error has failed a batch in the last few seconds, and none has been written since. */
  hasFailedRecently(): boolean
  /** Refuses new rows and resolves once all queued rows are answered. */
  drain(): Promise<void>
}

type Options<Row, Result> = {
  /** Writes all rows in one transaction. */
  write: (rows: Row[], writer: number) => Promise<Result[]>
  /** For rows that would wait for each other's locks: only one writer at a time writes rows of a group. */
  groupOf?: (row: Row) => string
  writers: number
  maxBatch: number
  maxWaiting: number
  /** New rows are refused once the oldest has waited this long, so that accepted rows are still answered in time. */
  maxDelayMs?: number
  /** Every row is answered within this time, even if the database hangs. */
  timeoutMs?: number
  onBatch?: (size: number) => void
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

const RECENT_MS = 5_000
const SWEEP_MS = 200
/** The longest delay that a timer supports. */
const NEVER_MS = 2 ** 31 - 1

/** The outcome is unknown: the rows may have been committed before the connection went silent. */
const timedOut = () =>
  new Refusal('unavailable', 'The database did not respond in time. Retry shortly.', {
    reason: 'commit_timeout',
    retryAfterSeconds: 2,
  })

/** Retries once after a lost connection, which may have committed. Only for writes that recognize rows already stored. */
export const withRetry =
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
 * Every row is committed before it is acknowledged. While a batch is written, new rows queue up and form the next batch. There
 * is no timer, so an idle service responds immediately and a busy one batches automatically.
 */
export const groupCommit = <Row, Result>(options: Options<Row, Result>): GroupCommit<Row, Result> => {
  const { writers, maxBatch, maxWaiting, maxDelayMs = Number.POSITIVE_INFINITY } = options
  const now = options.now ?? (() => performance.now())
  const queue = createQueue<Row, Result>(now, options.groupOf)
  const sizing = createBatchSizing({ writers, maxBatch, maxWaiting, maxDelayMs })
  const { wake, hasFailedRecently, finish } = createWriters(options, { queue, sizing, now })
  let isDraining = false
  const sweeper = setInterval(() => refuse(queue.takeLate(2 * maxDelayMs), () => overloaded('queue_delay')), SWEEP_MS)
  sweeper.unref()

  return {
    submit: (row) => {
      if (isDraining) return Promise.reject(overloaded('stopping'))
      if (queue.length() >= sizing.maxQueued()) return Promise.reject(overloaded('queue_full'))
      if (queue.delayMs() > maxDelayMs) return Promise.reject(overloaded('queue_delay'))
      const result = queue.add(row)
      wake()
      return result
    },
    waiting: queue.length,
    hasFailedRecently,
    delayMs: queue.delayMs,
    drain: () => {
      clearInterval(sweeper)
      isDraining = true
      return finish()
    },
  }
}

type WriterContext<Row, Result> = {
  queue: ReturnType<typeof createQueue<Row, Result>>
  sizing: ReturnType<typeof createBatchSizing>
  now: () => number
}

/** Each writer writes one batch at a time. */
const createWriters = <Row, Result>(
  { write, writers, timeoutMs = NEVER_MS, onBatch }: Options<Row, Result>,
  { queue, sizing, now }: WriterContext<Row, Result>,
) => {
  const idle = Array.from({ length: writers }, (_, writer) => writer)
  let writing = 0
  let isScheduled = false
  let onIdle: (() => void) | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  const settle = createSettler(write, () => {
    failedAt = now()
  })

  /**
   * A batch has a fixed cost of about a dozen rows. While one is being written, another starts only if it is at least as large;
   * the last writer to finish takes whatever is queued.
   */
  const isWorthwhile = () => {
    const free = queue.free()
    return free > 0 && free >= Math.min(writing, sizing.maxRows())
  }

  const work = async (writer: number) => {
    while (isWorthwhile()) {
      const batch = queue.take(sizing.maxRows())
      const hasBacklog = queue.length() > 0
      onBatch?.(batch.length)
      writing += batch.length
      const startedAt = now()
      const waited = startedAt - (batch[0]?.since ?? 0)
      const timer = setTimeout(() => refuse(batch, timedOut), timeoutMs - waited)
      await settle(batch, writer)
      clearTimeout(timer)
      queue.release(batch)
      // Written by a database that answers again: after a failover, load balancers need not wait.
      if (failedAt < startedAt) failedAt = Number.NEGATIVE_INFINITY
      writing -= batch.length
      sizing.record({ rows: batch.length, tookMs: now() - startedAt, hasBacklog })
    }
    idle.push(writer)
    if (idle.length === writers) onIdle?.()
  }

  const start = () => {
    isScheduled = false
    const writer = isWorthwhile() ? idle.pop() : undefined
    if (writer !== undefined) void work(writer)
  }

  return {
    /** Deferred, so that everything arriving in this turn of the event loop shares a batch. */
    wake: () => {
      if (isScheduled || idle.length === 0 || !isWorthwhile()) return
      isScheduled = true
      setImmediate(start)
    },
    hasFailedRecently: () => now() - failedAt < RECENT_MS,
    /** Resolves when the queue is empty and written. */
    finish: () =>
      new Promise<void>((resolve) => {
        onIdle = resolve
        if (idle.length === writers && queue.length() === 0) resolve()
      }),
  }
}

/** Rows that no writer has taken yet, in order of arrival. Those of a group that is being written are not free. */
const createQueue = <Row, Result>(now: () => number, groupOf?: (row: Row) => string) => {
  let entries: QueuedRow<Row, Result>[] = []
  const busy = new Set<string>()
  const isFree = ({ row }: QueuedRow<Row, Result>) => !groupOf || busy.size === 0 || !busy.has(groupOf(row))
  const delayMs = () => (entries[0] ? now() - entries[0].since : 0)
  return {
    length: () => entries.length,
    free: () => (busy.size === 0 ? entries.length : entries.filter(isFree).length),
    delayMs,
    add: (row: Row) => new Promise<Result>((resolve, reject) => entries.push({ row, since: now(), resolve, reject })),
    take: (max: number) => {
      const taken = (busy.size === 0 ? entries : entries.filter(isFree)).slice(0, max)
      const isTaken = new Set(taken)
      entries = taken.length === entries.length ? [] : entries.filter((entry) => !isTaken.has(entry))
      if (groupOf) for (const { row } of taken) busy.add(groupOf(row))
      return taken
    },
    /** Their groups are free again. */
    release: (taken: QueuedRow<Row, Result>[]) => {
      if (groupOf) for (const { row } of taken) busy.delete(groupOf(row))
    },
    /** Removes the rows that have waited this long. They are certain not to have been recorded. */
    takeLate: (waitedMs: number) => {
      if (delayMs() < waitedMs) return []
      const latest = now() - waitedMs
      const firstInTime = entries.findIndex((entry) => entry.since > latest)
      return entries.splice(0, firstInTime === -1 ? entries.length : firstInTime)
    },
  }
}

/** Writes a batch and settles each row's promise. */
const createSettler = <Row, Result>(write: Options<Row, Result>['write'], onTransientError: () => void) => {
  const settle = async (batch: QueuedRow<Row, Result>[], writer: number): Promise<void> => {
    try {
      const results = await write(
        batch.map((entry) => entry.row),
        writer,
      )
      for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result)
    } catch (error) {
      if (isTransientError(error)) onTransientError()
      // One row that Postgres rejects must not fail the others: bisect the batch to isolate it.
      if (batch.length === 1 || isTransientError(error)) return batch.forEach((entry) => void entry.reject(error))
      const middle = batch.length >> 1
      await settle(batch.slice(0, middle), writer)
      await settle(batch.slice(middle), writer)
    }
  }
  return settle
}

const refuse = <Row, Result>(entries: QueuedRow<Row, Result>[], why: () => Refusal) => {
  for (const entry of entries) entry.reject(why())
}

type Limits = { writers: number; maxBatch: number; maxWaiting: number; maxDelayMs: number }
type Batch = { rows: number; tookMs: number; hasBacklog: boolean }

/** Target duration of a batch: a longer one is too large for the database's current speed. */
const TARGET_BATCH_MS = 400
const MIN_BATCH = 16

/**
 * Adapts batch size and queue length to the speed of the last batch. The age of the oldest row reacts too late: by then three
 * times as many rows may be queued as can be served in time.
 */
const createBatchSizing = ({ writers, maxBatch, maxWaiting, maxDelayMs }: Limits) => {
  let maxRows = maxBatch
  let maxQueued = maxWaiting
  const clamp = (min: number, rows: number, max: number) => Math.min(Math.max(min, Math.floor(rows)), max)
  return {
    /** Rows per batch. A single stall is forgotten after a few batches. */
    maxRows: () => maxRows,
    /** The queue length that can still be served in time. */
    maxQueued: () => maxQueued,
    record: ({ rows, tookMs, hasBacklog }: Batch) => {
      const rowsPerMs = rows / Math.max(tookMs, 1)
      maxRows = clamp(MIN_BATCH, rowsPerMs * TARGET_BATCH_MS, maxBatch)
      // A batch that emptied the queue shows latency, not throughput.
      maxQueued = hasBacklog ? clamp(MIN_BATCH, rowsPerMs * writers * maxDelayMs, maxWaiting) : maxWaiting
    },
  }
}
