type Limits = { writers: number; maxBatch: number; maxWaiting: number; maxDelayMs: number }
type Batch = { rows: number; tookMs: number; leftSomeWaiting: boolean }

/** Whoever is in a batch waits for all of it. One that takes longer than this is too large for a database as slow as it is now. */
const BATCH_MS = 400
const SMALLEST_BATCH = 16

/**
 * How much can be written now, by what the last batch took. How long the first in a queue has waited tells it too late: by
 * then three times as many may stand behind them as can be served in time.
 */
export const pacing = ({ writers, maxBatch, maxWaiting, maxDelayMs }: Limits) => {
  let mostRows = maxBatch
  let mostWaiting = maxWaiting
  const between = (least: number, rows: number, most: number) => Math.min(Math.max(least, Math.floor(rows)), most)
  return {
    /** As many rows as fit into one batch. A stall passes and is forgotten after a few. */
    mostRows: () => mostRows,
    /** As many as are served before they have waited too long. */
    mostWaiting: () => mostWaiting,
    learn: ({ rows, tookMs, leftSomeWaiting }: Batch) => {
      const rowsPerMs = rows / Math.max(tookMs, 1)
      mostRows = between(SMALLEST_BATCH, rowsPerMs * BATCH_MS, maxBatch)
      // A batch of all there was says how long a call takes, not how many would fit.
      mostWaiting = leftSomeWaiting ? between(SMALLEST_BATCH, rowsPerMs * writers * maxDelayMs, maxWaiting) : maxWaiting
    },
  }
}
