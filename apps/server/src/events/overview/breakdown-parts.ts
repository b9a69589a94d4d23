import type { Breakdown, BreakdownQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Days } from './periods.ts'

export type Row = Omit<Breakdown['rows'][number], 'value' | 'groupName'> & { value: string; groupName?: string }

export type Range = Days & { query: BreakdownQuery; partnerId: number | null }

export const AMOUNTS = sql`
  coalesce((SELECT jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', revenue_cents) ORDER BY currency)
    FROM money WHERE money.value = top.value AND revenue_cents > 0), '[]') AS revenue,
  coalesce((SELECT jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', commission_cents) ORDER BY currency)
    FROM money WHERE money.value = top.value AND commission_cents > 0), '[]') AS commissions`

/** Hides values whose counts are all zero. */
export const NOT_EMPTY = sql`HAVING sum(clicks) > 0 OR sum(leads) > 0 OR sum(sales) > 0`

const MONEY = { revenue: 'revenue_cents', commissions: 'commission_cents' }

export const isByMoney = (sort: BreakdownQuery['sort']): sort is keyof typeof MONEY => sort in MONEY

/** The highest values. Amounts of other currencies than the program's do not count: they cannot be compared. */
export const topValues = ({ sort, limit }: BreakdownQuery, currency: string) => {
  const rank = isByMoney(sort)
    ? sql`coalesce((SELECT ${sql.ref(MONEY[sort])} FROM money WHERE money.value = counted.value AND currency = ${currency}), 0)`
    : sql.ref(sort)
  return sql`SELECT counted.*, ${rank} AS rank FROM counted ${BY_RANK} LIMIT ${limit}`
}

export const BY_RANK = sql`ORDER BY rank DESC, clicks DESC, value`

/** The columns of a value that is among the top. */
export const COUNTS = sql`top.value, top.clicks, top.leads, top.sales`
