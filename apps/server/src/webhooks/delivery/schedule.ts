import { WEBHOOK_DISABLE_DAYS, WEBHOOK_WARN_DAYS } from '@tributary/contract'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY_MS = 24 * HOUR

/** Pauses before each attempt, as Standard Webhooks recommends. docs/guides/webhooks.md and schedule.test.ts state them too. */
const PAUSES_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** Spreads retries, so that endpoints are not hit by everything that failed together. */
const JITTER = 0.1

export const WARN_AFTER_MS = WEBHOOK_WARN_DAYS * DAY_MS
export const DISABLE_AFTER_MS = WEBHOOK_DISABLE_DAYS * DAY_MS

type Failure = { tries: number; retryAfter: string | null; at: Date; random: number }

/** The pause before the next attempt after `tries` failed ones; null to give up. `Retry-After` can only lengthen it, up to a day. */
export const nextPauseMs = ({ tries, retryAfter, at, random }: Failure) => {
  const pause = PAUSES_MS[tries]
  if (pause === undefined) return null
  const asked = Math.min(readRetryAfterMs(retryAfter, at), DAY_MS)
  return Math.max(Math.round(pause * (1 + JITTER * (2 * random - 1))), asked)
}

/** Seconds or a date; zero if it is neither. */
const readRetryAfterMs = (value: string | null, at: Date) => {
  if (value === null) return 0
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * SECOND
  const date = Date.parse(value)
  return Number.isNaN(date) ? 0 : Math.max(0, date - at.getTime())
}

export const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300
export const GONE = 410
