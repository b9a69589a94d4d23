import type { RateLimits } from '../../apps/server/src/http/rate-limits.ts'
import { Refusal } from '../../apps/server/src/refusal.ts'
import { runWith } from './run-with.ts'

const ATTEMPTS = 10
const PER_MS = ATTEMPTS / 60_000

/** A token bucket on a clock that may go back: then nothing refills it until the old time is reached again. */
const bucketLimits = (limits: RateLimits): RateLimits => {
  let left = ATTEMPTS
  let filledAt = Date.now()
  return {
    ...limits,
    signIn: () => {
      const now = Date.now()
      left = Math.min(ATTEMPTS, left + (now - filledAt) * PER_MS)
      filledAt = now
      if (left < 1) throw new Refusal('rate_limited', 'Too many attempts; wait a little.', { retryAfterSeconds: 60 })
      left--
    },
  }
}

await runWith({ parts: (dependencies) => ({ ...dependencies, limits: bucketLimits(dependencies.limits) }) })
