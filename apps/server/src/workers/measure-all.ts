import { type MetricValues, textOfAll } from '../metrics.ts'
import type { WorkerProcess } from './worker-process.ts'

/** One that is just ending does not answer; an operator is told of the others rather than of nobody. */
const PATIENCE_MS = 1_000

/** Asks every worker what it has measured and adds it up. */
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
