import type { Clock } from '../../clock.ts'

const MAX_AGE_MS = 10 * 60_000
/** An answer is recomputed at most this often. */
const MIN_AGE_MS = 5_000
const MAX_PAGES = 100
/** Of one page. A page has fewer parts, but a report can be about any partner. */
const MAX_ANSWERS = 50

type Compute = (at: Date) => Promise<unknown>
type Kept = { answer: unknown; at: Date; compute: Compute; wasRead: boolean }
type Page = Map<string, Kept>
type Question<Answer> = { page: string; key: string; compute: (at: Date) => Promise<Answer> }

/** One that fails keeps its answer and its age: a slow report must not hold back the others. */
const recompute = async (kept: Kept, at: Date): Promise<Kept> => {
  const wasRead = false
  return kept.compute(at).then(
    (answer) => ({ ...kept, answer, at, wasRead }),
    () => ({ ...kept, wasRead }),
  )
}

/** With the newest answer of the page; the oldest beyond the limit are dropped. */
const withAnswer = (page: Page | undefined, key: string, kept: Kept): Page => {
  const answers = new Map(page)
  answers.delete(key)
  answers.set(key, kept)
  for (const oldest of answers.keys()) if (answers.size > MAX_ANSWERS) answers.delete(oldest)
  return answers
}

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
      fresh.set(key, kept.at >= startedAt ? kept : await recompute(kept, clock()))
    }
    keep(name, fresh)
  }

  const waiting = new Set<string>()
  let background: Promise<unknown> = Promise.resolve()
  const refresh = (name: string) => {
    if (waiting.has(name)) return
    waiting.add(name)
    background = background.then(() => refreshPage(name)).finally(() => waiting.delete(name))
  }

  /** Concurrent requests share one computation. */
  const computeNow = <Answer>({ page, key, compute }: Question<Answer>): Promise<Answer> => {
    const place = JSON.stringify([page, key])
    const current = running.get(place)
    if (current) return current as Promise<Answer>
    const at = clock()
    const answer = compute(at)
      .then((done) => {
        keep(page, withAnswer(pages.get(page), key, { answer: done, at, compute, wasRead: true }))
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
