import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { AMOUNTS, NOT_EMPTY, ordered, type Range, type Row } from './breakdown-parts.ts'
import { conversionsOf, moneyOf } from './conversions.ts'
import { countsOfPartner } from './known-counts.ts'
import { within } from './periods.ts'

type Asked = Range & { kind: 'partner' | 'link' }

const KINDS = {
  link: { owner: sql`link.id`, label: sql`SELECT aff FROM referral_links` },
  partner: { owner: sql`link.partner_id`, label: sql`SELECT name FROM partners` },
}

/** Partners or links: clicks from the counts, which are always exact. */
export const byLink = async (db: Database, program: Program, { kind, query, partnerId, ...days }: Asked) => {
  const programId = program.id
  const { owner, label } = KINDS[kind]
  const id = sql.ref(`${kind}_id`)
  const some = sql`${within(days)} ${partnerId === null ? sql`` : sql`AND ${countsOfPartner(programId, partnerId)}`}`
  const { rows } = await sql<Row>`
    WITH counted AS (
      SELECT id::text AS value, clicks, leads, sales FROM (
        SELECT id, sum(clicks)::bigint AS clicks, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales FROM (
          -- Summed by number and one by one: there may be a row for each of thousands of links on each day.
          SELECT ${id} AS id, sum(clicks) AS clicks, 0 AS leads, 0 AS sales FROM daily_counts WHERE program_id = ${programId} AND ${some} GROUP BY 1
          UNION ALL
          SELECT ${id}, 0, sum(leads), sum(sales) FROM (${conversionsOf(programId)}) fact WHERE ${some} GROUP BY 1) part
        GROUP BY id ${NOT_EMPTY}) one
    ), top AS MATERIALIZED (SELECT * FROM counted ${ordered(query)}
    ), money AS (
      SELECT ${owner}::text AS value, currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents
      FROM (SELECT * FROM (${moneyOf(programId)}) fact WHERE ${within(days)}) every
      JOIN referral_links link ON link.id = every.link_id AND ${owner}::text IN (SELECT value FROM top)
      GROUP BY 1, currency)
    SELECT top.*, (${label} WHERE program_id = ${programId} AND id = top.value::integer) AS label, ${AMOUNTS}
    FROM top ${ordered(query)}`.execute(db)
  return rows
}
