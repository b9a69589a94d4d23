/** "Oct 5, 2026" in the given time zone. */
export const formatDate = (at: Date, timeZone: string) =>
  at.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone })

const DAY_MS = 86_400_000

/** Noon of the day in the given time zone: what is left of a moment whose time must not be known. */
export const noonOf = (at: Date, timeZone: string) => {
  const [hours = 0, minutes = 0, seconds = 0] = at.toLocaleTimeString('en-GB', { timeZone }).split(':').map(Number)
  const sinceMidnightMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000 + at.getUTCMilliseconds()
  return new Date(at.getTime() - sinceMidnightMs + DAY_MS / 2)
}

const dateTime = { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const

/** "Oct 5, 2026, 2:03 PM UTC" in the given time zone. */
export const formatDateTime = (at: Date, timeZone: string) =>
  // Newer runtimes put a narrow space before PM.
  at.toLocaleString('en-US', { ...dateTime, timeZoneName: 'short', timeZone }).replaceAll('\u202f', ' ')
