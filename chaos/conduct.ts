import type { Answer } from './traffic/caller.ts'

/** How the service treated the load: its responses, their latency, and its offenses. */
export type Conduct = ReturnType<typeof createConduct>

export const createConduct = ({ mayBreak = false }: { mayBreak?: boolean } = {}) => {
  const statuses = new Map<string, number>()
  const offenses = new Map<string, number>()
  let slowestMs = 0
  const add = (to: Map<string, number>, name: string) => to.set(name, (to.get(name) ?? 0) + 1)
  return {
    /** `null`: the connection ended, or the timeout passed, before a response. */
    note: (call: string, answer: Answer | null, failure = '') => {
      add(statuses, answer ? `${answer.status} ${answer.body?.error?.code ?? ''}`.trim() : 'none')
      if (!answer) {
        if (!mayBreak) add(offenses, `${call}: no answer ${failure}`.trim())
        return
      }
      slowestMs = Math.max(slowestMs, answer.milliseconds)
      if ([429, 503].includes(answer.status)) {
        if (!answer.headers['retry-after']) add(offenses, `${call}: ${answer.status} without Retry-After`)
      } else if (answer.status !== 200) add(offenses, `${call}: ${answer.status} ${answer.body?.error?.code ?? ''}`)
    },
    offend: (what: string) => add(offenses, what),
    /** A duplicate response to our own retry is not an offense. */
    forgive: (call: string, answer: Answer) => {
      const name = `${call}: ${answer.status} ${answer.body?.error?.code ?? ''}`
      const left = (offenses.get(name) ?? 0) - 1
      if (left > 0) offenses.set(name, left)
      else offenses.delete(name)
    },
    count: (status: number | 'none') =>
      [...statuses].reduce((sum, [name, count]) => (name.startsWith(String(status)) ? sum + count : sum), 0),
    total: () => [...statuses.values()].reduce((sum, count) => sum + count, 0),
    slowestMs: () => Math.round(slowestMs),
    statuses: () => [...statuses].map(([status, count]) => `${count}× ${status}`).join(', '),
    findings: () => [...offenses].map(([offense, times]) => `${times}× ${offense}`),
  }
}
