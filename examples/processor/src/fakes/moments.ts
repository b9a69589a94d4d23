const MONTH_MS = 30 * 86_400_000

/** `2026-11-19T13:00:00.000000Z` */
export const inMicroseconds = (at: number) => new Date(at).toISOString().replace('Z', '000Z')

/** `2026-11-19T13:00:00.000000Z`, without the fraction */
export const inWholeSeconds = (at: number) => inMicroseconds(at - (at % 1000))

/** `2026-11-19T13:00:00.123Z` */
export const inMilliseconds = (at: number) => new Date(at).toISOString()

export const inAMonth = (at: number) => at + MONTH_MS

export const inDays = (at: number, days: number) => at + days * 86_400_000
