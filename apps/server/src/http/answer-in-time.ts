import { Refusal } from '../refusal.ts'
import type { App, Patience } from './context.ts'
import { HOW_TO_RETRY } from './errors.ts'

/** Each wait for the database has its end, but a call has several of them. */
const ANSWERED_WITHIN_MS = 2_900

const tooLate = () =>
  new Refusal(
    'unavailable',
    `The database did not answer in time, so the call may or may not have been recorded. ${HOW_TO_RETRY}`,
    { retryAfterSeconds: 2 },
  )

/** A database that stands still becomes an answer, not a call that hangs. Clicks keep their own time (group-commit.ts). */
export const answerInTime = (app: App, path: string, withinMs = ANSWERED_WITHIN_MS) =>
  app.use(path, async (c, next) => {
    let left = withinMs
    let startedAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let giveUp = () => {}
    const over = new Promise<never>((_, reject) => {
      giveUp = () => reject(tooLate())
    })
    const patience: Patience = {
      pause: () => {
        clearTimeout(timer)
        left -= performance.now() - startedAt
      },
      resume: () => {
        startedAt = performance.now()
        timer = setTimeout(giveUp, left)
      },
    }
    c.set('patience', patience)
    patience.resume()
    try {
      await Promise.race([next(), over])
    } finally {
      clearTimeout(timer)
    }
  })
