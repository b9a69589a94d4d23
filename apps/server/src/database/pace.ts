type Limits = { writers: number; maxBatch: number; maxWaiting: number; maxDelayMs: number }
type Batch = { rows: number; tookMs: number; leftSomeWaiting: boolean }

/** Target duration of a batch: a longer one is too large for the database's current speed. */
const BATCH_MS = 400
const SMALLEST_BATCH = 16

/**
 * Adapts batch size and queue length to the speed of the last batch. The age of the oldest row reacts too late: by then three
 * times as many rows may be queued as can be served in time.
 */
export const pacing = ({ writers, maxBatch, maxWaiting, maxDelayMs }: Limits) => {
  let mostRows = maxBatch
  let mostWaiting = maxWaiting
  const between = (least: number, rows: number, most: number) => Math.min(Math.max(least, Math.floor(rows)), most)
  return {
    /** Rows per batch. A single stall is forgotten after a few batches. */
    mostRows: () => mostRows,
    /** The queue length that can still be served in time. */
    mostWaiting: () => mostWaiting,
    learn: ({ rows, tookMs, leftSomeWaiting }: Batch) => {
      const rowsPerMs = rows / Math.max(tookMs, 1)
      mostRows = between(SMALLEST_BATCH, rowsPerMs * BATCH_MS, maxBatch)
      // A batch that emptied the queue shows latency, not throughput.
      mostWaiting = leftSomeWaiting ? between(SMALLEST_BATCH, rowsPerMs * writers * maxDelayMs, maxWaiting) : maxWaiting
    },
  }
}
