/** "Oct 5, 2026" in the given time zone. */
export const formatDate = (at: Date, timeZone: string) =>
  at.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone })

const dateTime = { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const

/** "Oct 5, 2026, 2:03 PM UTC" in the given time zone. */
export const formatDateTime = (at: Date, timeZone: string) =>
  // Newer runtimes put a narrow space before PM.
  at.toLocaleString('en-US', { ...dateTime, timeZoneName: 'short', timeZone }).replaceAll('\u202f', ' ')
