import { locale } from '../format/locale.ts'

/** Calendar days are strings such as 2026-02-28, the same in every time zone. */
const DAY_MS = 86_400_000

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)
const isDay = (text: string) => !Number.isNaN(Date.parse(text)) && toDay(Date.parse(text)) === text

export const addDays = (day: string, count: number) => toDay(Date.parse(day) + count * DAY_MS)

/** January 31 plus a month is the last day of February. */
export const addMonths = (day: string, count: number) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastDate = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  return toDay(Date.UTC(year, month - 1 + count, Math.min(date, lastDate)))
}

export const firstOfMonth = (day: string) => `${day.slice(0, 8)}01`
export const lastOfMonth = (day: string) => addDays(addMonths(firstOfMonth(day), 1), -1)

type WeekInfo = { firstDay: number }
type LocaleWithWeeks = Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo }

/** 1 is Monday, 7 is Sunday. Firefox has no week information, so it starts weeks on Monday. */
const firstWeekday = () => {
  const language: LocaleWithWeeks = new Intl.Locale(locale)
  return (language.getWeekInfo?.() ?? language.weekInfo)?.firstDay ?? 1
}

/** The days between the start of the week and this day. */
export const daysIntoWeek = (day: string) => (new Date(day).getUTCDay() - firstWeekday() + 7) % 7

/** The weeks of a month, including the days of other months that complete them. */
export const weeksOf = (day: string) => {
  const first = firstOfMonth(day)
  const start = addDays(first, -daysIntoWeek(first))
  const last = lastOfMonth(day)
  const weeks: string[][] = []
  for (let week = start; week <= last; week = addDays(week, 7))
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(week, index)))
  return weeks
}

/** Whether 3/4/2026 is the third of April or March 4. */
const isDayFirst = () => {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(new Date())
  return parts.findIndex(({ type }) => type === 'day') < parts.findIndex(({ type }) => type === 'month')
}

const padded = (text: string) => text.padStart(2, '0')

/** Reads 2026-03-14, 3/14/2026 in the order of the browser's language, or Mar 14, 2026. Null if it is no date. */
export const parseDay = (text: string) => {
  const trimmed = text.trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(trimmed)
  const numeric = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(trimmed)
  let day = ''
  if (iso) day = `${iso[1]}-${padded(iso[2] ?? '')}-${padded(iso[3] ?? '')}`
  else if (numeric) {
    const [, one = '', two = '', year] = numeric
    day = isDayFirst() ? `${year}-${padded(two)}-${padded(one)}` : `${year}-${padded(one)}-${padded(two)}`
  } else if (/[a-z]{3}.*\d{4}/i.test(trimmed)) {
    const time = Date.parse(`${trimmed} UTC`)
    day = Number.isNaN(time) ? '' : toDay(time)
  }
  return isDay(day) ? day : null
}

const medium = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** "Nov 5 – 18, 2026" */
export const formatDayRange = (from: string, to: string) => medium.formatRange(new Date(from), new Date(to))
export const formatMonth = (day: string) =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day))
export const formatFullDay = (day: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day))
export const formatWeekday = (day: string, width: 'short' | 'long') =>
  new Intl.DateTimeFormat(locale, { weekday: width, timeZone: 'UTC' }).format(new Date(day))
