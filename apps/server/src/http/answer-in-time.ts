import { Refusal } from '../refusal.ts'
import type { App, TimeLimit } from './context.ts'
import { HOW_TO_RETRY } from './errors.ts'

/** A limit for the whole call: each database query has its own timeout, but a call makes several. */
const ANSWERED_WITHIN_MS = 2_900

const tooLate = () =>
  new Refusal(
    'unavailable',
    `The database did not respond in time, so the call may or may not have been recorded. ${HOW_TO_RETRY}`,
    { reason: 'answer_timeout', retryAfterSeconds: 2 },
  )

/** Answers 503 instead of hanging if the database stalls. Clicks have their own timeout (group-commit.ts). */
export const answerInTime = (app: App, path: string, withinMs = ANSWERED_WITHIN_MS) =>
  app.use(path, async (c, next) => {
    let left = withinMs
    let startedAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let giveUp = () => {}
    const timedOut = new Promise<never>((_, reject) => {
      giveUp = () => reject(tooLate())
    })
    const timeLimit: TimeLimit = {
      pause: () => {
        clearTimeout(timer)
        left -= performance.now() - startedAt
      },
      resume: () => {
        startedAt = performance.now()
        timer = setTimeout(giveUp, left)
      },
    }
    c.set('timeLimit', timeLimit)
    timeLimit.resume()
    try {
      await Promise.race([next(), timedOut])
    } finally {
      clearTimeout(timer)
    }
  })
