import type { HeldAmount, NextPayable } from '@tributary/contract'
import { formatCalendarDate, formatCount, formatDay, formatList, formatMoney } from '~/components/format/format.ts'

const DAYS_WITHOUT_YEAR = 250
const DAY_MS = 86_400_000

/** "Dec 18", with the year if it is far away. */
export const formatDayAhead = (day: string) =>
  Date.parse(day) - Date.now() < DAYS_WITHOUT_YEAR * DAY_MS ? formatDay(day) : formatCalendarDate(day)

type Next = { currency: string; next: NextPayable }

/** "$14.70 becomes payable on Dec 18". Amounts of one day are in one clause; null if nothing is held by date. */
export const describeNext = (rows: Next[]) => {
  const days = Map.groupBy(
    rows.flatMap(({ currency, next }) => (next ? [{ currency, ...next }] : [])),
    ({ on }) => on,
  )
  const clauses = [...days]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([day, amounts]) => {
      const what = formatList(amounts.map(({ amountCents, currency }) => formatMoney(amountCents, currency)))
      return `${what} ${amounts.length === 1 ? 'becomes' : 'become'} payable on ${formatDayAhead(day)}`
    })
  return clauses.length === 0 ? null : clauses.join(', ')
}

/** The same for balances. */
export const describeNextOf = (balances: { currency: string; nextPayable: NextPayable }[]) =>
  describeNext(balances.map(({ currency, nextPayable }) => ({ currency, next: nextPayable })))

type Total = Pick<HeldAmount, 'currency' | 'commissions' | 'amountCents'>

/** What a release makes payable. */
export const releasable = <Row extends Total>(held: Row[]) => held.filter(({ commissions }) => commissions > 0)

/** "$104.70 and €5.00 in 3 commissions" */
export const describeHeld = (held: Total[]) => {
  const count = held.reduce((sum, { commissions }) => sum + commissions, 0)
  const amounts = formatList(held.map(({ amountCents, currency }) => formatMoney(amountCents, currency)))
  return `${amounts} in ${formatCount(count, 'commission')}`
}
