import type { Clock } from '../../clock.ts'

/** What took no longer is computed for every request and never kept. */
const SLOW_MS = 50
const OLDEST_MS = 10 * 60_000
const MOST_KEPT = 500

type Kept = { answer: unknown; at: Date }
type Running = { since: number; answer: Promise<unknown> }

export type SlowAnswers = ReturnType<typeof keepSlowAnswers>

/**
 * Keeps answers that were slow to compute, in this process. A kept answer is served at once, however stale within ten minutes, and
 * computed again in the background; it says itself as of when it is. Quick answers are always of this moment. The background does one
 * thing at a time: the connections are for those who wait.
 */
export const keepSlowAnswers = ({ clock, slowMs = SLOW_MS }: { clock: Clock; slowMs?: number | undefined }) => {
  const kept = new Map<string, Kept>()
  const running = new Map<string, Running>()

  const keep = (key: string, answer: Kept) => {
    kept.delete(key)
    kept.set(key, answer)
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) return
      kept.delete(oldest)
    }
  }

  const run = <Answer>(key: string, compute: (at: Date) => Promise<Answer>): Promise<Answer> => {
    const [since, at] = [performance.now(), clock()]
    const answer = compute(at)
      .then((done) => {
        if (performance.now() - since >= slowMs) keep(key, { answer: done, at })
        else kept.delete(key)
        return done
      })
      .finally(() => {
        if (running.get(key)?.answer === answer) running.delete(key)
      })
    running.set(key, { since, answer })
    return answer
  }

  const waiting = new Set<string>()
  let background: Promise<unknown> = Promise.resolve()
  const renew = (key: string, compute: (at: Date) => Promise<unknown>) => {
    if (waiting.has(key)) return
    waiting.add(key)
    background = background
      .then(() => run(key, compute))
      // Whoever needs it computed in their own request learns what is wrong.
      .catch(() => {})
      .finally(() => waiting.delete(key))
  }

  return <Answer>(key: string, compute: (at: Date) => Promise<Answer>): Promise<Answer> => {
    const [known, current] = [kept.get(key), running.get(key)]
    if (known && clock().getTime() - known.at.getTime() < OLDEST_MS) {
      renew(key, compute)
      return Promise.resolve(known.answer as Answer)
    }
    // One that has taken so long already is slow, and its answer would be kept.
    if (current && performance.now() - current.since >= slowMs) return current.answer as Promise<Answer>
    return run(key, compute)
  }
}
