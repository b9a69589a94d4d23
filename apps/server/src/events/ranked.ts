import type { Breakdown } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { countedByLink, MOST_RECENT, moneyByLink } from './facts.ts'
import { makeRanking, type Ranking, renewRanking } from './rankings.ts'
import { freshSince, nearSince } from './roll-up-marks.ts'

/** The more are read beyond those asked for, the less often somebody who is not among them has to be looked at. */
const BEYOND = 20

export type Row = Omit<Breakdown['rows'][number], 'value'> & { value: string }
type Counts = [id: number, clicks: number, leads: number, sales: number]
type Money = [currency: string, revenueCents: number, commissionCents: number]
type Found = {
  /** As many as are asked for and some more, in their order. */
  entries: [...Counts, Money[], label: string | null][]
  recent: Counts[]
  recentMoney: [id: number, ...Money][]
  isCut: boolean
  /** Exact all the same, but the longer ago it was made, the more is to be added. */
  isOld: boolean
}

export type Asked = Ranking & { limit: number; at: Date }

/**
 * The first of the partners or links of a period: of those who were the first at the watermark, and of all who got something
 * since. Null where that cannot be said. `direct` answers from the counts for those who may have come up from below.
 */
export const firstOf = async (
  db: Database,
  asked: Asked,
  direct: (ids: number[]) => Promise<Row[]>,
): Promise<Row[] | null> => {
  let found = await find(db, asked)
  if (!found || (found.isOld && found.isCut)) found = (await makeRanking(db, asked)) ? await find(db, asked) : undefined
  else if (found.isOld) renewRanking(db, asked)
  if (!found || found.isCut) return null
  const first = inOrder(found.entries.map(rowsWith(found)), asked)
  const risen = mayHaveRisen(found, first, asked)
  return risen.length === 0 ? first : inOrder([...first, ...(await direct(risen))], asked)
}

const NAMES = {
  link: sql`SELECT aff FROM referral_links`,
  partner: sql`SELECT name FROM partners`,
}

const find = async (db: Database, { programId, kind, sort, days, firstDay, lastDay, limit, at }: Asked) => {
  const key = sql`program_id = ${programId} AND kind = ${kind} AND sort = ${sort} AND days = ${days}`
  const since = { programId, after: sql`(SELECT counted_until FROM rankings WHERE ${key})`, until: sql`'infinity'` }
  const within = sql`day BETWEEN ${firstDay}::date AND ${lastDay}::date`
  const id = kind === 'link' ? sql`link_id` : sql`(SELECT partner_id FROM referral_links WHERE id = link_id)`
  const { rows } = await sql<Found>`
    WITH recent AS MATERIALIZED (${countedByLink(since, MOST_RECENT)})
    SELECT (SELECT coalesce(jsonb_agg(entry || jsonb_build_array(
          (${NAMES[kind]} WHERE program_id = ${programId} AND id = (entry -> 0)::integer)) ORDER BY place), '[]')
        FROM jsonb_array_elements(entries) WITH ORDINALITY listed(entry, place) WHERE place <= ${limit + BEYOND}) AS entries,
      (SELECT coalesce(sum(clicks), 0) >= ${MOST_RECENT} FROM recent) AS is_cut,
      counted_until < ${freshSince(at)}::timestamptz AS is_old,
      (SELECT coalesce(jsonb_agg(jsonb_build_array(id, clicks, leads, sales)), '[]') FROM (
        SELECT ${sql.ref(`${kind}_id`)} AS id, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales
        FROM recent WHERE ${within} GROUP BY 1) one) AS recent,
      (SELECT coalesce(jsonb_agg(jsonb_build_array(${id}, currency, revenue_cents, commission_cents)), '[]')
        FROM (${moneyByLink(since)}) earned WHERE ${within}) AS recent_money
    FROM rankings WHERE ${key} AND first_day = ${firstDay}::date AND last_day = ${lastDay}::date
      AND counted_until >= ${nearSince(at)}::timestamptz`.execute(db)
  return rows[0]
}

/** An entry with what came since. */
const rowsWith = ({ recent, recentMoney }: Found) => {
  const added = new Map(recent.map((counts) => [counts[0], counts]))
  return ([id, clicks, leads, sales, money, label]: Found['entries'][number]): Row => {
    const [, newClicks, newLeads, newSales] = added.get(id) ?? [id, 0, 0, 0]
    const since = recentMoney.filter(([of]) => of === id).map(([, ...amounts]): Money => amounts)
    return {
      value: String(id),
      label,
      clicks: clicks + newClicks,
      leads: leads + newLeads,
      sales: sales + newSales,
      revenue: sumOf([...money, ...since], 1),
      commissions: sumOf([...money, ...since], 2),
    }
  }
}

const sumOf = (money: Money[], column: 1 | 2) => {
  const sums = new Map<string, number>()
  for (const amounts of money) sums.set(amounts[0], (sums.get(amounts[0]) ?? 0) + amounts[column])
  return [...sums]
    .filter(([, amountCents]) => amountCents > 0)
    .map(([currency, amountCents]) => ({ currency, amountCents }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** As `ordered` of breakdown.ts has it. */
const inOrder = (rows: Row[], { sort, limit }: Asked) =>
  rows.toSorted((a, b) => b[sort] - a[sort] || b.clicks - a.clicks || (a.value < b.value ? -1 : 1)).slice(0, limit)

const PLACE = { clicks: 1, leads: 2, sales: 3 } as const

/** Whoever is not among the entries had no more than the last of them, and nothing at all where there are no more. */
const mayHaveRisen = ({ entries, recent }: Found, first: Row[], { sort, limit }: Asked) => {
  const ranked = new Set(entries.map(([id]) => id))
  const most = entries.length < limit + BEYOND ? 0 : (entries.at(-1)?.[PLACE[sort]] ?? 0)
  const least = first.length < limit ? 0 : (first.at(-1)?.[sort] ?? 0)
  return recent.filter((counts) => !ranked.has(counts[0]) && most + counts[PLACE[sort]] >= least).map(([id]) => id)
}
