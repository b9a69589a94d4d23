const SAME_EVERYWHERE = /^(utc|gmt|[a-z][^/]*\/.+)$/i

/**
 * Accepts only time zones that mean the same in Postgres and Intl. Postgres reads some names without a slash as abbreviations with
 * a fixed offset (its CET has no summer time), and reads the sign of offsets such as +05:30 the other way round.
 */
export const isTimezone = (name: string) => {
  if (!SAME_EVERYWHERE.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
