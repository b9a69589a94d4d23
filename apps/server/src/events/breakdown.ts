import type { Breakdown, BreakdownQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { AMOUNTS, NOT_EMPTY, ordered, since } from './breakdown-parts.ts'
import { byLink } from './by-link.ts'
import { caughtUp } from './catch-up.ts'
import { type Dimension, valueIn } from './dimensions.ts'
import { countedFacts, moneyByClick } from './facts.ts'
import { type Days, daysOf } from './periods.ts'
import type { Row } from './ranked.ts'

type Asked = { program: Program; query: BreakdownQuery; at: Date; partnerId?: number | null }

/** The values of one dimension with most clicks, leads or sales in a period. */
export const breakdownOf = async (
  db: Database,
  { program, query, at, partnerId = null }: Asked,
): Promise<Breakdown> => {
  const { mark, fresh } = await caughtUp(db, program, at)
  const until = mark?.countedUntil ?? at
  const { firstDay, lastDay } = await daysOf(db, { program, query, at })
  const range = { firstDay, lastDay, query, partnerId, fresh }
  const { by } = query
  const rows =
    by === 'partner' || by === 'link'
      ? await byLink(db, program, { kind: by, mark, at, ...range })
      : await byVisitor(db, program, by, range)
  return {
    by,
    dateFrom: firstDay,
    dateTo: lastDay,
    countedUntil: (fresh ? at : until).toISOString(),
    rows: rows.map((row) => ({ ...row, value: row.value === '' ? null : row.value, label: row.label || null })),
  }
}

type Range = Days & { query: BreakdownQuery; partnerId: number | null; fresh: boolean }

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
