import { Refusal } from '../refusal.ts'

/** Nothing was begun, so nothing was recorded. */
export const overloaded = () =>
  new Refusal('overloaded', 'The service is busy and recorded nothing. Send the same call again in a second.', {
    retryAfterSeconds: 1,
  })
