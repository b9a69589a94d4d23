/** Which calendar days a payout schedule names. Days are dates without a time zone, such as 2026-11-01. */
export type ScheduleDays = {
  frequency: 'monthly' | 'twice_monthly' | 'weekly'
  day: number | null
  /** 1 is Monday. */
  weekday: number | null
}

const DAY_MS = 86_400_000
const SECOND_DAY_AFTER = 14

const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const isScheduled = ({ frequency, day, weekday }: ScheduleDays, date: string) => {
  const at = new Date(date)
  if (frequency === 'weekly') return (at.getUTCDay() || 7) === weekday
  const ofMonth = at.getUTCDate()
  return ofMonth === day || (frequency === 'twice_monthly' && ofMonth === (day ?? 0) + SECOND_DAY_AFTER)
}

const scheduledFrom = (schedule: ScheduleDays, from: string, step: 1 | -1) => {
  let date = from
  while (!isScheduled(schedule, date)) date = addDays(date, step)
  return date
}

/** The latest scheduled day up to today. */
export const latestScheduled = (schedule: ScheduleDays, today: string) => scheduledFrom(schedule, today, -1)

/** The first scheduled day after today. */
export const nextScheduled = (schedule: ScheduleDays, today: string) => scheduledFrom(schedule, addDays(today, 1), 1)
