const SAME_EVERYWHERE = /^(utc|gmt|[a-z][^/]*\/.+)$/i

/**
 * A time zone that means the same to Postgres, which draws the days, and to Intl. Without a slash Postgres takes some names
 * for abbreviations, whose offset is the same all year: its CET knows no summer. Offsets such as +05:30 are left out as
 * well: Postgres reads their sign the other way round.
 */
export const isTimezone = (name: string) => {
  if (!SAME_EVERYWHERE.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
