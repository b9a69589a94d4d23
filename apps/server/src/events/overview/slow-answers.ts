import type { Clock } from '../../clock.ts'

/** Faster results are computed for every request and not cached. */
const SLOW_MS = 50
const MAX_AGE_MS = 10 * 60_000
const MAX_CACHED = 500

type CachedAnswer = { answer: unknown; at: Date }
type RunningQuery = { since: number; answer: Promise<unknown> }

export type SlowAnswers = ReturnType<typeof createSlowAnswerCache>

/**
 * Caches slow results in this process. A cached result up to ten minutes old is returned immediately and recomputed in the
 * background; it states its own `asOf`. The background runs one query at a time, to leave connections to requests.
 */
export const createSlowAnswerCache = ({ clock, slowMs = SLOW_MS }: { clock: Clock; slowMs?: number | undefined }) => {
  const cache = new Map<string, CachedAnswer>()
  const running = new Map<string, RunningQuery>()

  const store = (key: string, answer: CachedAnswer) => {
    cache.delete(key)
    cache.set(key, answer)
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED) return
      cache.delete(oldest)
    }
  }

  const run = <Answer>(key: string, compute: (at: Date) => Promise<Answer>): Promise<Answer> => {
    const [since, at] = [performance.now(), clock()]
    const answer = compute(at)
      .then((done) => {
        if (performance.now() - since >= slowMs) store(key, { answer: done, at })
        else cache.delete(key)
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
  const refresh = (key: string, compute: (at: Date) => Promise<unknown>) => {
    if (waiting.has(key)) return
    waiting.add(key)
    background = background
      .then(() => run(key, compute))
      // The next request that computes it in the foreground reports the error.
      .catch(() => {})
      .finally(() => waiting.delete(key))
  }

  return <Answer>(key: string, compute: (at: Date) => Promise<Answer>): Promise<Answer> => {
    const [known, current] = [cache.get(key), running.get(key)]
    if (known && clock().getTime() - known.at.getTime() < MAX_AGE_MS) {
      refresh(key, compute)
      return Promise.resolve(known.answer as Answer)
    }
    // A computation that has run this long is slow, so its result will be cached: share it.
    if (current && performance.now() - current.since >= slowMs) return current.answer as Promise<Answer>
    return run(key, compute)
  }
}
