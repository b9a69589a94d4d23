/** The delay that a `Retry-After` header asks for, in milliseconds; null if it is absent or invalid. */
export const retryAfterMs = (header: string | null, now: number): number | null => {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  // Requires a year, because `Date.parse` accepts almost anything.
  const at = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

const FIRST_MS = 250
const LONGEST_MS = 8_000

/** Exponential backoff with full jitter, so that many callers do not retry at the same time. */
export const backoffMs = (failures: number, random: () => number): number =>
  random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
