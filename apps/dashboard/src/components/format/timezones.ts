import { isTimezone } from '@tributary/contract/timezones'

export const browserTimezone = () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return isTimezone(timeZone) ? timeZone : 'UTC'
}

/** All time zones, `chosen` first: this browser may not know a zone chosen in another one. */
export const timezones = (chosen: string) => [
  ...new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone').filter(isTimezone)]),
]
