import type { Breakdown, BreakdownQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Days } from './periods.ts'

export type Row = Omit<Breakdown['rows'][number], 'value'> & { value: string }

export type Range = Days & { query: BreakdownQuery; partnerId: number | null }

export const AMOUNTS = sql`
  coalesce((SELECT jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', revenue_cents) ORDER BY currency)
    FROM money WHERE money.value = top.value AND revenue_cents > 0), '[]') AS revenue,
  coalesce((SELECT jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', commission_cents) ORDER BY currency)
    FROM money WHERE money.value = top.value AND commission_cents > 0), '[]') AS commissions`

/** Hides values whose counts are all zero. */
export const NOT_EMPTY = sql`HAVING sum(clicks) > 0 OR sum(leads) > 0 OR sum(sales) > 0`

export const ordered = ({ sort, limit }: BreakdownQuery) =>
  sql`ORDER BY ${sql.ref(sort)} DESC, clicks DESC, value LIMIT ${limit}`
