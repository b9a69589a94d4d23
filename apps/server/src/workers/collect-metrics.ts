import { aggregateText, type MetricValues } from '../metrics.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A worker that is exiting does not reply; report the others without it. */
const TIMEOUT_MS = 1_000

/** Collects and aggregates the metrics of all workers. */
export const createMetricsCollector = (workers: () => WorkerProcess[]) => {
  const pending = new Map<number, (values: MetricValues) => void>()
  let requestCount = 0

  const request = (worker: WorkerProcess) => {
    const requestId = ++requestCount
    const result = new Promise<MetricValues>((resolve) => pending.set(requestId, resolve))
    worker.send({ kind: 'get-metrics', requestId })
    const timeout = Bun.sleep(TIMEOUT_MS).then((): MetricValues => [])
    return Promise.race([result, timeout]).finally(() => pending.delete(requestId))
  }

  return {
    onMetrics: (requestId: number, values: MetricValues) => pending.get(requestId)?.(values),
    text: async () => aggregateText(await Promise.all(workers().map(request))),
  }
}
