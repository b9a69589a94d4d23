import { addCounters, aggregateText, type MetricValues } from '../metrics.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A worker that is exiting does not reply; report its latest values. */
const TIMEOUT_MS = 1_000

/**
 * Collects and aggregates the metrics of all workers. Counters of ended workers are kept: a counter that decreases looks like a
 * restart of the service, and Prometheus would count everything twice.
 */
export const createMetricsCollector = () => {
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
