import type { Clock } from '../../clock.ts'

const MAX_AGE_MS = 10 * 60_000
/** An answer is recomputed at most this often. */
const MIN_AGE_MS = 5_000
const MAX_PAGES = 100

type Compute = (at: Date) => Promise<unknown>
type Kept = { answer: unknown; at: Date; compute: Compute; wasRead: boolean }
type Page = Map<string, Kept>
type Question<Answer> = { page: string; key: string; compute: (at: Date) => Promise<Answer> }

export type KeptAnswers = ReturnType<typeof createKeptAnswers>

/**
 * Keeps the answers about one program and period, which one page shows, in this process. A kept answer up to ten minutes old is
 * returned immediately. In the background, all answers of the page that were read are recomputed and replaced together, so that
 * they do not contradict each other for long; one query runs at a time, to leave connections to requests.
 */
export const createKeptAnswers = ({ clock }: { clock: Clock }) => {
  const pages = new Map<string, Page>()
  const running = new Map<string, Promise<unknown>>()
  const ageOf = ({ at }: Kept) => clock().getTime() - at.getTime()

  const keep = (name: string, page: Page) => {
    pages.delete(name)
    pages.set(name, page)
    for (const oldest of pages.keys()) {
      if (pages.size <= MAX_PAGES) return
      pages.delete(oldest)
    }
  }

  const refreshPage = async (name: string) => {
    const startedAt = clock()
    const fresh: Page = new Map()
    const findStale = () => [...(pages.get(name) ?? [])].find(([key, { wasRead }]) => wasRead && !fresh.has(key))
    for (let stale = findStale(); stale; stale = findStale()) {
      const [key, kept] = stale
      const at = clock()
      const isNew = kept.at >= startedAt
      fresh.set(key, isNew ? kept : { ...kept, answer: await kept.compute(at), at, wasRead: false })
    }
    keep(name, fresh)
  }

  const waiting = new Set<string>()
  let background: Promise<unknown> = Promise.resolve()
  const refresh = (name: string) => {
    if (waiting.has(name)) return
    waiting.add(name)
    background = background
      .then(() => refreshPage(name))
      // The next request that computes it in the foreground reports the error.
      .catch(() => {})
      .finally(() => waiting.delete(name))
  }

  /** Concurrent requests share one computation. */
  const computeNow = <Answer>({ page, key, compute }: Question<Answer>): Promise<Answer> => {
    const place = JSON.stringify([page, key])
    const current = running.get(place)
    if (current) return current as Promise<Answer>
    const at = clock()
    const answer = compute(at)
      .then((done) => {
        keep(page, new Map(pages.get(page)).set(key, { answer: done, at, compute, wasRead: true }))
        return done
      })
      .finally(() => running.delete(place))
    running.set(place, answer)
    return answer
  }

  return async <Answer>(question: Question<Answer>): Promise<Answer> => {
    const known = pages.get(question.page)?.get(question.key)
    if (!known || ageOf(known) >= MAX_AGE_MS) return computeNow(question)
    known.wasRead = true
    if (ageOf(known) >= MIN_AGE_MS) refresh(question.page)
    return known.answer as Answer
  }
}
