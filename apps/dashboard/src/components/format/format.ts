import { minorDigits, toDecimal } from '@tributary/contract/currencies'
import { locale } from './locale.ts'
import { calendarDay, formatClock, formatDate } from './time-zone.ts'

const plain = new Intl.NumberFormat(locale)
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const percentWith = (digits: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, { style: 'percent', ...digits })
const rate = percentWith({ maximumFractionDigits: 2 })
const whole = percentWith({})
const tenths = percentWith({ minimumFractionDigits: 1 })
const tiny = percentWith({ maximumSignificantDigits: 1 })

export const formatNumber = (value: number) => plain.format(value)
/** "1 click", "2 clicks" */
export const formatCount = (value: number, noun: string) => `${plain.format(value)} ${noun}${value === 1 ? '' : 's'}`
/** "a, b and c". Always English, like the text around it. */
const list = new Intl.ListFormat('en-GB')
export const formatList = (parts: string[]) => list.format(parts)
export const formatCompact = (value: number) => compact.format(value)
/** A rate as someone set it: "20%", "12.25%". */
export const formatRate = (ratio: number) => rate.format(ratio)
/** A measured share or change: "9.9%", "10.0%", "223%", or "0.04%" where one decimal would show none of it. */
export const formatPercent = (ratio: number) => {
  const size = Math.abs(ratio)
  return (size < 0.0005 ? tiny : size < 0.9995 ? tenths : whole).format(ratio)
}
/** The size of a change; its direction is shown by an arrow. Above 999%, the number says nothing anymore. */
export const formatChange = (change: number) => {
  const size = Math.abs(change)
  return size < 9.995 ? formatPercent(size) : `>${formatPercent(9.99)}`
}

/** Digits come from the contract's currency table, which the service calculates with, not from the browser. */
export const formatMoney = (amountCents: number, currency: string) => {
  const digits = minorDigits(currency)
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(locale, options).format(toDecimal(amountCents, currency) as `${number}`)
}

/** "$1.2K", "$20", or "$0.50" where rounding would make neighbouring amounts look the same. */
export const formatMoneyCompact = (amountCents: number, currency: string) => {
  const unit = 10 ** minorDigits(currency)
  if (amountCents % unit !== 0 && Math.abs(amountCents) < 1_000 * unit)
    return formatMoney(Math.round(amountCents), currency)
  const options = {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  } as const
  // Axis ticks can fall between whole minor units.
  return new Intl.NumberFormat(locale, options).format(toDecimal(Math.round(amountCents), currency) as `${number}`)
}

const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const wholeDay = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })

export { formatDate, formatTime, formatTimeWithSeconds } from './time-zone.ts'

/** A calendar day such as 2026-02-28, the same in every time zone. */
export const formatDay = (day: string) => dayAndMonth.format(new Date(`${day}T00:00:00Z`))
const calendarDate = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
export const formatCalendarDate = (day: string) => calendarDate.format(new Date(`${day}T00:00:00Z`))
export const formatWholeDay = (day: string) => wholeDay.format(new Date(`${day}T00:00:00Z`))

const monthAndYear = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
/** A month such as 2026-02. */
export const formatMonth = (month: string) => monthAndYear.format(new Date(`${month}-01T00:00:00Z`))

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
const MINUTE = 60
const HOUR = 3_600
const DAY_MS = 86_400_000

/**
 * "5 min. ago", then calendar days in the displayed time zone ("yesterday"), or the date after a week. `withTime` adds the time of
 * day to days and dates.
 */
export const formatAgo = (iso: string, now = Date.now(), withTime = false) => {
  const at = new Date(iso).getTime()
  const seconds = Math.round((now - at) / 1000)
  if (seconds < MINUTE) return 'just now'
  if (seconds < HOUR) return relative.format(-Math.floor(seconds / MINUTE), 'minute')
  const days = (Date.parse(calendarDay(now)) - Date.parse(calendarDay(at))) / DAY_MS
  if (days === 0 || seconds < 12 * HOUR) return relative.format(-Math.floor(seconds / HOUR), 'hour')
  const day = days > 7 ? formatDate(iso) : relative.format(-days, 'day')
  return withTime ? `${day}, ${formatClock(iso)}` : day
}

const regions = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })

export const formatCountry = (code: string) => {
  try {
    return regions.of(code) ?? code
  } catch {
    return code
  }
}

/** In the units that the limits are stated in: "256 KB", "4.8 MB". */
export const formatBytes = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1).replace('.0', '')} MB`
