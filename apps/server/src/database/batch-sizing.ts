type Limits = { writers: number; maxBatch: number; maxWaiting: number; maxDelayMs: number }
type Batch = { rows: number; tookMs: number; hasBacklog: boolean }

/** Target duration of a batch: a longer one is too large for the database's current speed. */
const TARGET_BATCH_MS = 400
const MIN_BATCH = 16

/**
 * Adapts batch size and queue length to the speed of the last batch. The age of the oldest row reacts too late: by then three
 * times as many rows may be queued as can be served in time.
 */
export const createBatchSizing = ({ writers, maxBatch, maxWaiting, maxDelayMs }: Limits) => {
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
