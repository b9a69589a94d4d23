import { isTimezone } from '@tributary/contract/timezones'

/** The reader's own zone, which is right most of the time. */
export const ownTimezone = () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return isTimezone(timeZone) ? timeZone : 'UTC'
}

/** What can be chosen, with `chosen` first: this browser may not know the zone that another one chose. */
export const timezones = (chosen: string) => [
  ...new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone').filter(isTimezone)]),
]
