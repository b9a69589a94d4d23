import { type MetricValues, textOfAll } from '../metrics.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A worker that is exiting does not reply; report the others without it. */
const PATIENCE_MS = 1_000

/** Collects and aggregates the metrics of all workers. */
export const measuringAll = (workers: () => WorkerProcess[]) => {
  const asked = new Map<number, (values: MetricValues) => void>()
  let questions = 0

  const ask = (worker: WorkerProcess) => {
    const question = ++questions
    const answered = new Promise<MetricValues>((resolve) => asked.set(question, resolve))
    worker.tell({ kind: 'measure', question })
    const late = Bun.sleep(PATIENCE_MS).then((): MetricValues => [])
    return Promise.race([answered, late]).finally(() => asked.delete(question))
  }

  return {
    answered: (question: number, values: MetricValues) => asked.get(question)?.(values),
    text: async () => textOfAll(await Promise.all(workers().map(ask))),
  }
}
