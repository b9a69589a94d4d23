import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { matchingRecords, referencesOfPayment } from '../database/sql/lookups.ts'
import type { Program } from '../programs/programs.ts'
import type { Filter, Source } from './event-sources.ts'
import { boundary } from './overview/days.ts'
import { countsOfPartner } from './overview/known-counts.ts'

/** Only clicks have a country, and test events have no partner, link or country. */
export const canMatch = ({ partnerId, linkId, country }: Filter, { type, test }: Source) =>
  !(test && (partnerId || linkId || country)) && !(country && type !== 'click')

export const matchesFilter = (program: Program, filter: Filter, source: Source): RawBuilder<unknown> => {
  const { dateFrom, dateTo, partnerId, linkId, country, search } = filter
  const time = sql.raw(source.time)
  const of = (column: string) => sql.raw(source.type === 'lead' && !source.test ? `lead.${column}` : column)
  return sql`program_id = ${program.id}
    ${source.test ? sql`AND event_type = ${source.type}` : sql``}
    ${dateFrom ? sql`AND ${time} >= ${boundary(dateFrom, program.timezone, 0)}` : sql``}
    ${dateTo ? sql`AND ${time} < ${boundary(dateTo, program.timezone, 1)}` : sql``}
    ${partnerId ? sql`AND ${of('partner_id')} = ${partnerId}` : sql``}
    ${linkId ? sql`AND ${of('link_id')} = ${linkId}` : sql``}
    ${country ? sql`AND country = ${country}` : sql``}
    ${search ? matchesSearch(program.id, search, source) : sql``}`
}

const matchesSearch = (programId: number, word: string, { type, test }: Source) => {
  if (test) return sql`AND ${word} IN (details ->> 'click_id', details ->> 'customer_key', details ->> 'invoice_id')`
  // Arrays of few values: Postgres looks them up, where it could compare all rows with a joined table.
  const known = sql`click_id = ANY (ARRAY${matchingRecords(programId, word)})`
  if (type === 'click') return sql`AND ${known}`
  if (type === 'lead') return sql`AND lead.${known}`
  // A separate index per column; an OR over three columns would read all rows.
  return sql`AND sale.id = ANY (ARRAY(
    SELECT id FROM sales WHERE program_id = ${programId} AND invoice_id = ANY (ARRAY${referencesOfPayment({ programId, invoiceId: word })})
    UNION ALL SELECT id FROM sales WHERE program_id = ${programId} AND customer_key = ${word}
    UNION ALL SELECT id FROM sales WHERE program_id = ${programId} AND ${known}))`
}

/** The days since the last roll-up, whose countries are not counted yet. */
const notRolledUp = (programId: number) => sql`
  SELECT DISTINCT day, 0, true FROM daily_counts
  WHERE program_id = ${programId} AND day >= (SELECT coalesce(max(counted_until) - interval '1 day', '-infinity')::date FROM roll_ups WHERE program_id = ${programId})`

/**
 * Clicks have no index by link, partner or country, because every index slows down every click. The daily counts show which
 * days have matching clicks, so only as many of the newest days are scanned as the page needs.
 */
export const daysWithClicks = async (
  db: Database,
  { program, filter, before, rows }: { program: Program; filter: Filter; before: string | null; rows: number },
): Promise<string[] | null> => {
  const { dateFrom, dateTo, partnerId, linkId, country, search } = filter
  if (search || !(partnerId || linkId || country)) return null
  const counted =
    partnerId || linkId
      ? sql`daily_counts WHERE program_id = ${program.id} AND ${
          linkId ? sql`link_id = ${linkId}` : countsOfPartner(program.id, partnerId ?? 0)
        }`
      : sql`(
          SELECT day, clicks, false AS recent FROM daily_breakdowns WHERE program_id = ${program.id} AND dimension = 'country' AND value = ${country}
          UNION ALL ${notRolledUp(program.id)}) known WHERE true`
  // With a second filter the counts no longer bound the matches, so every day is a candidate.
  const enough = country && (partnerId || linkId) ? Number.MAX_SAFE_INTEGER : rows
  const ends = [
    ...(before ? [sql`${before}::timestamptz`] : []),
    ...(dateTo ? [boundary(dateTo, program.timezone, 1)] : []),
  ]
  const end = ends.length > 0 ? sql`least(${sql.join(ends)})` : null
  // Days around a cursor or the end date may be partly outside the range: scan them, but do not count on their rows.
  const promised = end
    ? sql`CASE WHEN day < (${end} - interval '1 day')::date THEN sum(clicks) ELSE 0 END`
    : sql`sum(clicks)`
  const { rows: days } = await sql<{ day: string }>`
    SELECT day FROM (
      SELECT day, sum(${promised}) OVER (ORDER BY day DESC) - ${promised} AS newer FROM ${counted}
        ${end ? sql`AND day <= (${end} + interval '1 day')::date` : sql``}
        ${dateFrom ? sql`AND day >= (${boundary(dateFrom, program.timezone, 0)} - interval '1 day')::date` : sql``}
      GROUP BY day HAVING sum(clicks) > 0 ${partnerId || linkId ? sql`` : sql`OR bool_or(recent)`}) counted
    WHERE newer < ${enough} ORDER BY day DESC`.execute(db)
  return days.map(({ day }) => day)
}
