import { Refusal } from '../refusal.ts'

/** Thrown before any work starts, so nothing was recorded. */
export const overloaded = () =>
  new Refusal('overloaded', 'The service is overloaded and recorded nothing. Retry in a second.', {
    retryAfterSeconds: 1,
  })
