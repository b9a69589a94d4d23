import type { Breakdown, BreakdownQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { type Dimension, valueIn } from './dimensions.ts'
import { countedFacts, moneyByClick, moneyByLink } from './facts.ts'
import { type Days, daysOf } from './periods.ts'
import { countedUntil, isFresh, rollUp } from './roll-up.ts'

/** A reader helps to catch up for so long, and is then answered with what there is. */
const PATIENCE_MS = 1_000

type Row = Omit<Breakdown['rows'][number], 'value'> & { value: string }
type Asked = { program: Program; query: BreakdownQuery; at: Date; partnerId?: number | null }

/** The values of one dimension with most clicks, leads or sales in a period. */
export const breakdownOf = async (
  db: Database,
  { program, query, at, partnerId = null }: Asked,
): Promise<Breakdown> => {
  const until = await caughtUp(db, program, at)
  const { firstDay, lastDay } = await daysOf(db, { program, query, at })
  const range = { firstDay, lastDay, query, partnerId, fresh: isFresh(until, at) }
  const { by } = query
  const rows =
    by === 'partner' || by === 'link' ? await byLink(db, program, by, range) : await byVisitor(db, program, by, range)
  return {
    by,
    dateFrom: firstDay,
    dateTo: lastDay,
    countedUntil: (range.fresh ? at : until).toISOString(),
    rows: rows.map((row) => ({ ...row, value: row.value === '' ? null : row.value, label: row.label || null })),
  }
}

const caughtUp = async (db: Database, program: Program, at: Date) => {
  const known = await countedUntil(db, program.id)
  if (known && isFresh(known, at)) return known
  const started = performance.now()
  while (!(await rollUp(db, { program, at })) && performance.now() - started < PATIENCE_MS);
  return (await countedUntil(db, program.id)) ?? at
}

type Range = Days & { query: BreakdownQuery; partnerId: number | null; fresh: boolean }

const AMOUNTS = sql`
  coalesce((SELECT jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', revenue_cents) ORDER BY currency)
    FROM money WHERE money.value = top.value AND revenue_cents > 0), '[]') AS revenue,
  coalesce((SELECT jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', commission_cents) ORDER BY currency)
    FROM money WHERE money.value = top.value AND commission_cents > 0), '[]') AS commissions`

/** Where all that was counted has been taken back, there is nothing to show. */
const NOT_EMPTY = sql`HAVING sum(clicks) > 0 OR sum(leads) > 0 OR sum(sales) > 0`

const ordered = ({ sort, limit }: BreakdownQuery) =>
  sql`ORDER BY ${sql.ref(sort)} DESC, clicks DESC, value LIMIT ${limit}`

/** Read in the same statement as the roll-up itself, so that nothing is counted twice or missed between the two. */
const since = (program: Program) => sql`(SELECT max(counted_until) FROM roll_ups WHERE program_id = ${program.id})`

/** While the roll-up is far behind, what it has is the answer, and says until when. */
const upTo = (program: Program, fresh: boolean) => (fresh ? sql`'infinity'` : since(program))

const byVisitor = async (db: Database, program: Program, by: Dimension, range: Range) => {
  const { firstDay, lastDay, fresh, query } = range
  const span = { programId: program.id, after: since(program), until: upTo(program, fresh) }
  const within = sql`day BETWEEN ${firstDay}::date AND ${lastDay}::date`
  const stored = sql`program_id = ${program.id} AND dimension = ${by} AND ${within}`
  const { rows } = await sql<Row>`
    WITH counted AS (
      SELECT value, sum(clicks)::bigint AS clicks, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales FROM (
        SELECT value, clicks, leads, sales FROM daily_breakdowns WHERE ${stored}
        UNION ALL
        SELECT ${valueIn(by)}, clicks, leads, sales FROM (${countedFacts(span)}) click WHERE ${within}) every
      GROUP BY value ${NOT_EMPTY}
    ), top AS (SELECT * FROM counted ${ordered(query)}
    ), money AS (
      SELECT value, currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents FROM (
        SELECT value, currency, revenue_cents, commission_cents FROM daily_money WHERE ${stored}
        UNION ALL
        SELECT ${valueIn(by)}, currency, revenue_cents, commission_cents FROM (${moneyByClick(span)}) click WHERE ${within}) every
      GROUP BY value, currency)
    SELECT top.*, value AS label, ${AMOUNTS} FROM top ${ordered({ ...query })}`.execute(db)
  return rows
}

/** Partners and links are in the counts themselves. */
const byLink = async (db: Database, program: Program, by: 'partner' | 'link', range: Range) => {
  const { firstDay, lastDay, partnerId, query } = range
  const within = sql`program_id = ${program.id} AND day BETWEEN ${firstDay}::date AND ${lastDay}::date`
  const span = { programId: program.id, after: since(program), until: sql`'infinity'` }
  const value = by === 'link' ? sql`link_id` : sql`partner_id`
  const named =
    by === 'link'
      ? sql`(SELECT aff FROM referral_links WHERE id = top.value::integer)`
      : sql`(SELECT name FROM partners WHERE program_id = ${program.id} AND id = top.value::integer)`
  const { rows } = await sql<Row>`
    WITH counted AS (
      SELECT id::text AS value, clicks, leads, sales FROM (
        -- Grouped as numbers, which costs half of what it costs as text.
        SELECT ${value} AS id, sum(clicks)::bigint AS clicks, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales
        FROM daily_counts WHERE ${within} ${partnerId === null ? sql`` : sql`AND partner_id = ${partnerId}`} GROUP BY 1 ${NOT_EMPTY}) one
    ), top AS (SELECT * FROM counted ${ordered(query)}
    ), money AS (
      SELECT ${by === 'link' ? sql`link.id::text` : sql`link.partner_id::text`} AS value, currency,
        sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents FROM (
        SELECT value::integer AS link_id, currency, revenue_cents, commission_cents FROM daily_money WHERE ${within} AND dimension = 'link'
        UNION ALL
        SELECT link_id, currency, revenue_cents, commission_cents FROM (${moneyByLink(span)}) recent
        WHERE day BETWEEN ${firstDay}::date AND ${lastDay}::date) every
      JOIN referral_links link ON link.id = every.link_id
      GROUP BY 1, currency)
    SELECT top.*, ${named} AS label, ${AMOUNTS} FROM top ${ordered(query)}`.execute(db)
  return rows
}
