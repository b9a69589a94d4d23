import type { PayoutSchedule } from '@tributary/contract'

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const ENDINGS: Record<number, string> = { 1: 'st', 2: 'nd', 3: 'rd' }

/** "1st", "22nd", "11th" */
export const ordinal = (day: number) =>
  `${day}${(day < 11 || day > 13) && ENDINGS[day % 10] ? ENDINGS[day % 10] : 'th'}`

/** "Monthly on the 1st" */
export const describeSchedule = ({
  frequency,
  day,
  weekday,
}: Pick<PayoutSchedule, 'frequency' | 'day' | 'weekday'>) => {
  if (frequency === 'weekly') return `Weekly on ${WEEKDAYS[(weekday ?? 1) - 1]}`
  if (frequency === 'monthly') return `Monthly on the ${ordinal(day ?? 1)}`
  if (frequency === 'twice_monthly') return `Twice a month, on the ${ordinal(day ?? 1)} and ${ordinal((day ?? 1) + 14)}`
  return 'No schedule'
}
