import type { Counts, Performance } from '@tributary/contract'
import type { TrendPoint } from '~/components/chart/trend-chart.tsx'
import { formatCalendarDate, formatDay, formatWholeDay } from '~/components/format/format.ts'
import { formatClock, today } from '~/components/format/time-zone.ts'

type Read = (counts: Counts) => number
type Hours = NonNullable<Performance['hours']>

const HOUR_MS = 3_600_000

/** One point per hour for a single day, else one per day. */
export const trendPoints = (performance: Performance, read: Read): TrendPoint[] =>
  performance.hours ? hourPoints(performance, performance.hours, read) : dayPoints(performance, read)

const dayPoints = ({ days, previous }: Performance, read: Read): TrendPoint[] =>
  days.map((day, index) => {
    const before = previous?.days?.[index]
    return {
      key: day.date,
      tick: formatDay(day.date),
      name: formatWholeDay(day.date),
      value: read(day),
      isRunning: day.date === today(),
      before: before && { name: formatWholeDay(before.date), value: read(before) },
    }
  })

const hourPoints = ({ asOf, previous }: Performance, hours: Hours, read: Read): TrendPoint[] =>
  hours.map((hour, index) => {
    const [start, now] = [Date.parse(hour.startsAt), Date.parse(asOf)]
    const before = previous?.hours?.[index]
    return {
      key: hour.startsAt,
      tick: formatClock(hour.startsAt),
      name: formatClock(hour.startsAt),
      value: start > now ? null : read(hour),
      isRunning: start <= now && now < start + HOUR_MS,
      before: before && {
        name: `${formatDay(previous.dateFrom)}, ${formatClock(before.startsAt)}`,
        value: read(before),
      },
    }
  })

const previousDates = ({ previous }: Performance) =>
  previous && [...new Set([previous.dateFrom, previous.dateTo])].map(formatCalendarDate).join(' – ')

/** What the arrows compare with. While the last day is running, later hours of the previous one do not count. */
export const comparedPeriod = (performance: Performance) =>
  performance.previous
    ? `${previousDates(performance)}${performance.previous.toDate ? ', up to the same time' : ''}`
    : ''

/** Explains the dot and the grey line of the chart. */
export const trendLegend = (performance: Performance) => {
  const { hours, dateTo, days, previous } = performance
  const isRunning = dateTo === today() && (hours !== null || days.length > 1)
  const isCompared = previous && (hours ? previous.hours : previous.days)
  return [
    isRunning && `Dot: ${hours ? 'this hour' : 'today'} so far`,
    isCompared && `Grey line: ${previousDates(performance)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
