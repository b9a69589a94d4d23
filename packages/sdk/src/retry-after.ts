/** How long the service asks to wait, in milliseconds; null where it does not say, or not in words that we understand. */
export const retryAfterMs = (header: string | null, now: number): number | null => {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  // Everything that is no number must be a date with a year, or `Date.parse` makes one up.
  const at = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

const FIRST_MS = 250
const LONGEST_MS = 8_000

/** Full jitter: anywhere up to a limit that doubles, so that many callers do not come back all at once. */
export const backoffMs = (failures: number, random: () => number): number =>
  random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
