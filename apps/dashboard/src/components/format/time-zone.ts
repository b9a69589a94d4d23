import { useEffect } from 'react'
import { locale } from './locale.ts'

const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const
const TIME = { ...DATE, hour: 'numeric', minute: '2-digit' } as const

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Times name their zone if it differs from the browser's. */
const zoneFor = (timeZone: string) => ({
  timeZone,
  ...(timeZone !== browserZone && ({ timeZoneName: 'short' } as const)),
})

const formattersFor = (timeZone: string) => ({
  timeZone,
  time: new Intl.DateTimeFormat(locale, { ...TIME, ...zoneFor(timeZone) }),
  exact: new Intl.DateTimeFormat(locale, { ...TIME, second: '2-digit', ...zoneFor(timeZone) }),
  clock: new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone }),
  zonedClock: new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }),
  date: new Intl.DateTimeFormat(locale, { ...DATE, timeZone }),
  day: new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }),
})

let current = formattersFor(browserZone)

const showTimesIn = (timeZone: string) => {
  if (timeZone !== current.timeZone) current = formattersFor(timeZone)
}

/** Shows all times in the program's time zone; without one, in the browser's. */
export const useTimeZone = (timeZone: string | undefined) => {
  // Set before the children render, so they never flash another zone.
  showTimesIn(timeZone ?? browserZone)
  useEffect(() => {
    showTimesIn(timeZone ?? browserZone)
    return () => showTimesIn(browserZone)
  }, [timeZone])
}

export const formatTime = (iso: string) => current.time.format(new Date(iso))
/** For what happens seconds apart. */
export const formatTimeWithSeconds = (iso: string) => current.exact.format(new Date(iso))
/** Time only, such as 2:32 PM, for places that already show the date. */
export const formatClock = (iso: string) => current.clock.format(new Date(iso))
/** Such as 2:32 PM EST. */
export const formatZonedClock = (iso: string) => current.zonedClock.format(new Date(iso))
export const formatDate = (iso: string) => current.date.format(new Date(iso))

/** Calendar day such as 2026-02-28 in the displayed time zone. */
export const calendarDay = (time: number) => current.day.format(time)
export const today = () => calendarDay(Date.now())

const DAY_MS = 86_400_000

export const daysAgo = (days: number) => new Date(Date.parse(today()) - days * DAY_MS).toISOString().slice(0, 10)

/** "America/New York" */
export const zoneName = (timeZone: string) => timeZone.replaceAll('_', ' ')
