import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { groupAt } from '../../database/sql/group-at.ts'
import { readHashed } from '../../database/transaction.ts'
import type { Program } from '../../programs/programs.ts'
import { clicksBy } from '../roll-up/weekly-clicks.ts'
import { AMOUNTS, BY_RANK, COUNTS, isByMoney, NOT_EMPTY, type Range, type Row, topValues } from './breakdown-parts.ts'
import { conversionsOf, moneyByLinks } from './conversions.ts'
import { countsOfPartner } from './known-counts.ts'
import { manualFacts } from './manual-facts.ts'
import { within } from './periods.ts'

type ByLinkOptions = Range & { kind: 'partner' | 'group' | 'link' }

/** `counted`: the column that counts are read by. `value`: what its value `part.id` belongs to. `owner`: the same for a link. */
const KINDS = {
  link: { counted: 'link_id', value: sql`part.id`, owner: sql`id`, label: sql`SELECT aff FROM referral_links` },
  partner: {
    counted: 'partner_id',
    value: sql`part.id`,
    owner: sql`partner_id`,
    label: sql`SELECT name FROM partners`,
  },
  group: {
    counted: 'partner_id',
    value: groupAt({ programId: sql`part.program_id`, partnerId: sql`part.id` }),
    owner: groupAt({ programId: sql`referral_links.program_id`, partnerId: sql`referral_links.partner_id` }),
    label: sql`SELECT name FROM partner_groups`,
  },
}

/** The name of the group that the partner `top.value` is in. */
const groupName = (programId: number) => sql`(
  SELECT name FROM partner_groups
  WHERE program_id = ${programId} AND id = ${groupAt({ programId: sql`${programId}::integer`, partnerId: sql`top.value::integer` })})`

/** Top partners, groups or links. Clicks come from the exact daily counts, by week where possible. */
export const byLink = (db: Database, program: Program, { kind, query, partnerId, ...days }: ByLinkOptions) => {
  const programId = program.id
  const { counted, value, owner, label } = KINDS[kind]
  const id = sql.ref(counted)
  const condition = sql`${within(days)} ${partnerId === null ? sql`` : sql`AND ${countsOfPartner(programId, partnerId)}`}`
  // For one partner, read the counts link by link; for all links, thousands could have a row per day.
  const clicks =
    partnerId === null
      ? clicksBy({ programId, id, ...days })
      : sql`SELECT ${id} AS id, clicks FROM daily_counts WHERE program_id = ${programId} AND ${condition}`
  const ofGroup =
    kind === 'partner' && query.groupId !== undefined ? sql`WHERE ${KINDS.group.value} = ${query.groupId}` : sql``
  const top = sql`top AS MATERIALIZED (${topValues(query, program.currency)})`
  // Ranking by an amount needs the amounts of all links.
  const links = isByMoney(query.sort)
    ? sql`${partnerId === null ? sql`` : sql`AND partner_id = ${partnerId}`}`
    : sql`AND ${owner} IN (SELECT value::integer FROM top)`
  // Sales that members credited or moved and bonuses belong to a partner, but to no link.
  const isOwn = partnerId === null ? sql`` : sql`AND partner_id = ${partnerId}`
  const decided = sql`
    SELECT ${value}::text AS value, part.* FROM (
      SELECT ${programId}::integer AS program_id, partner_id AS id, sales, currency, revenue_cents, commission_cents
      FROM (${manualFacts(programId)}) fact WHERE ${kind !== 'link'} AND ${within(days)} ${isOwn}) part`
  // Credits by code are counted under minus the partner's ID.
  const creditedLinks = sql`
    SELECT program_id, id, partner_id FROM referral_links WHERE program_id = ${programId}
    UNION ALL SELECT program_id, -id, id FROM partners WHERE program_id = ${programId} AND ${kind !== 'link'}`
  const money = sql`
    link AS MATERIALIZED (SELECT id, ${owner}::text AS owner FROM (${creditedLinks}) referral_links WHERE true ${links}),
    money AS (
      SELECT value, currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents FROM (
        SELECT link.owner AS value, currency, revenue_cents, commission_cents
        FROM (${moneyByLinks(programId, isByMoney(query.sort) && partnerId === null ? undefined : sql`SELECT id FROM link`)}) fact JOIN link ON link.id = fact.link_id
        WHERE ${within(days)}
        UNION ALL SELECT value, currency, revenue_cents, commission_cents FROM decided) every
      GROUP BY value, currency)`
  const rows = sql<Row>`
    WITH decided AS MATERIALIZED (${decided}), counted AS (
      SELECT id::text AS value, clicks, leads, sales FROM (
        SELECT ${value} AS id, sum(clicks)::bigint AS clicks, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales FROM (
          SELECT ${programId}::integer AS program_id, id, clicks, 0::bigint AS leads, 0::bigint AS sales, 0::bigint AS added_cents
          FROM (${clicks}) clicked
          UNION ALL
          SELECT ${programId}::integer, ${id}, 0, sum(leads)::bigint, sum(sales)::bigint, 0 FROM (${conversionsOf(programId)}) fact
          WHERE ${condition} ${kind === 'link' ? sql`AND link_id > 0` : sql``} GROUP BY 2
          UNION ALL
          SELECT program_id, id, 0, 0, sales, commission_cents FROM decided) part
        ${ofGroup} GROUP BY 1 ${NOT_EMPTY} OR sum(added_cents) > 0) one
    ), ${isByMoney(query.sort) ? sql`${money}, ${top}` : sql`${top}, ${money}`}
    SELECT ${COUNTS}, (${label} WHERE program_id = ${programId} AND id = top.value::integer) AS label, ${AMOUNTS}
      ${kind === 'partner' ? sql`, ${groupName(programId)} AS group_name` : sql``}
    FROM top ${BY_RANK}`
  return readHashed(db, rows)
}
