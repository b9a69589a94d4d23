import type { BreakdownQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { AMOUNTS, NOT_EMPTY, ordered, since } from './breakdown-parts.ts'
import { moneyByLink } from './facts.ts'
import { DAYS, type Days } from './periods.ts'
import { firstOf, type Row } from './ranked.ts'
import type { Kind } from './rankings.ts'
import { FEW_ROWS, type Mark } from './roll-up-marks.ts'

const DAY_MS = 86_400_000

type Asked = Days & {
  kind: Kind
  query: BreakdownQuery
  partnerId: number | null
  mark: Mark | undefined
  at: Date
  fresh: boolean
}

/** Partners and links are in the counts themselves; where those are many, their sums are kept and the first of them ranked. */
export const byLink = async (db: Database, program: Program, asked: Asked): Promise<Row[]> => {
  const { kind, query, partnerId, mark, at, fresh, firstDay, lastDay } = asked
  const length = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1
  const isOffered = query.dateFrom === undefined && partnerId === null
  if (isOffered && fresh && mark && mark.rowsLately * length > FEW_ROWS) {
    const days = query.period === 'all' ? 0 : DAYS[query.period]
    const ranking = { programId: program.id, kind, sort: query.sort, days, firstDay, lastDay, limit: query.limit, at }
    const rows = await firstOf(db, ranking, (ids) => fromCounts(db, program, { ...asked, ids }))
    if (rows) return rows
  }
  return fromCounts(db, program, asked)
}

type Direct = Pick<Asked, 'kind' | 'query' | 'partnerId' | 'firstDay' | 'lastDay'> & { ids?: number[] }

const linksOf = (ids: number[]) => sql`AND link_id = ANY (${ids}::integer[])`

/** A link that has a partner keeps it, and the key of the counts begins with the link. */
const linksOfPartners = (program: Program, ids: number[] | undefined) =>
  ids
    ? sql`AND partner_id = ANY (${ids}::integer[]) AND link_id IN (
        SELECT id FROM referral_links WHERE program_id = ${program.id} AND partner_id = ANY (${ids}::integer[]))`
    : sql``

/** Every row of the period, or those of some partners or links alone. */
const fromCounts = async (db: Database, program: Program, { kind, query, partnerId, ids, ...days }: Direct) => {
  const within = sql`program_id = ${program.id} AND day BETWEEN ${days.firstDay}::date AND ${days.lastDay}::date`
  const span = { programId: program.id, after: since(program), until: sql`'infinity'` }
  const some =
    (kind === 'link' && ids && linksOf(ids)) || linksOfPartners(program, partnerId === null ? ids : [partnerId])
  const { rows } = await sql<Row>`
    WITH counted AS (
      SELECT id::text AS value, clicks, leads, sales FROM (
        -- Grouped as numbers, which costs half of what it costs as text.
        SELECT ${sql.ref(`${kind}_id`)} AS id, sum(clicks)::bigint AS clicks, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales
        FROM daily_counts WHERE ${within} ${some} GROUP BY 1 ${NOT_EMPTY}) one
    ), top AS (SELECT * FROM counted ${ordered(query)}
    ), money AS (
      SELECT ${kind === 'link' ? sql`link.id::text` : sql`link.partner_id::text`} AS value, currency,
        sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents FROM (
        SELECT value::integer AS link_id, currency, revenue_cents, commission_cents FROM daily_money WHERE ${within} AND dimension = 'link'
        UNION ALL
        SELECT link_id, currency, revenue_cents, commission_cents FROM (${moneyByLink(span)}) recent
        WHERE day BETWEEN ${days.firstDay}::date AND ${days.lastDay}::date) every
      JOIN referral_links link ON link.id = every.link_id
      GROUP BY 1, currency)
    SELECT top.*, ${kind === 'link' ? sql`(SELECT aff FROM referral_links WHERE id = top.value::integer)` : sql`(SELECT name FROM partners WHERE program_id = ${program.id} AND id = top.value::integer)`} AS label,
      ${AMOUNTS} FROM top ${ordered(query)}`.execute(db)
  return rows
}
