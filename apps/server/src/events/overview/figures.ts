import type { LinkRow, LinksQuery, PartnerRow, PartnersQuery } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { groupAt } from '../../database/sql/group-at.ts'
import { destinationOf } from '../../database/sql/link-destination.ts'
import { linksWith, partnersWith } from '../../database/sql/search.ts'
import { orderBy, sortField } from '../../database/sql/sorting.ts'
import { readHashed } from '../../database/transaction.ts'
import { changedDays } from '../roll-up/changed-days.ts'
import { moneyByLinks } from './conversions.ts'
import { conversionsByLink } from './facts.ts'
import { countsOfPartner } from './known-counts.ts'
import { manualFacts } from './manual-facts.ts'

type AsDates<Row> = {
  [Key in keyof Row]: Key extends 'createdAt' ? Date : Key extends 'lastClicked' ? Date | null : Row[Key]
}

const CLICKS = sql`sum(clicks)::bigint AS clicks, max(last_clicked_at) AS last_clicked`
const CONVERSIONS = sql`sum(leads)::bigint AS leads, sum(sales)::bigint AS sales`
const FIGURES = {
  clicks: 'coalesce(clicked.clicks, 0)',
  leads: '(coalesce(rolled.leads, 0) + coalesce(changed.leads, 0))',
  sales: '(coalesce(rolled.sales, 0) + coalesce(changed.sales, 0))',
  lastClicked: "coalesce(clicked.last_clicked, '-infinity')",
}
/** In the program's currency: other amounts cannot be compared. */
const AMOUNTS = { revenue: 'coalesce(earned.revenue_cents, 0)', commissions: 'coalesce(earned.commission_cents, 0)' }
const COUNTED = sql.raw(
  `${FIGURES.clicks} AS clicks, ${FIGURES.leads} AS leads, ${FIGURES.sales} AS sales, clicked.last_clicked`,
)

type ListOptions = {
  programId: number
  query: { sort: string; page: number; pageSize: number }
  /** The rows to list, without their figures. */
  rows: RawBuilder<unknown>
  /** Additional sort columns. */
  columns: Record<string, string>
  key: 'partner_id' | 'link_id'
  /** Selects the counts that belong to the row `listed`. */
  belongsToRow: RawBuilder<unknown>
}

/** One page with its figures. Aggregates all rows only when sorting by a figure. */
const withFigures = ({ programId, query, rows, columns, key, belongsToRow }: ListOptions) => {
  const { sort, page, pageSize } = query
  const order = orderBy(sort, { ...FIGURES, ...AMOUNTS, ...columns }, 'listed.id')
  const place = sql`row_number() OVER (${order}) AS place`
  const limit = sql`${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
  const clicks = sql`daily_counts WHERE program_id = ${programId}`
  const rolledUp = sql`daily_conversions WHERE program_id = ${programId} AND day <> ALL (${changedDays(programId)})`
  const id = sql`${sql.raw(key)} AS id`
  const changed = sql`LEFT JOIN (
    SELECT ${id}, ${CONVERSIONS} FROM (${unrolled(programId, key)}) fact GROUP BY 1
    ) changed ON changed.id = listed.id`
  const isByAmount = sortField(sort) in AMOUNTS
  if (isByAmount || sortField(sort) in FIGURES)
    return sql`SELECT listed.*, ${COUNTED}, ${place} FROM (${rows}) listed
      LEFT JOIN (SELECT ${id}, ${CLICKS} FROM ${clicks} GROUP BY 1) clicked ON clicked.id = listed.id
      LEFT JOIN (SELECT ${id}, ${CONVERSIONS} FROM ${rolledUp} GROUP BY 1) rolled ON rolled.id = listed.id
      ${changed} ${isByAmount ? sql`LEFT JOIN (${amountsOf(programId, key)}) earned ON earned.id = listed.id` : sql``} ${limit}`
  return sql`SELECT listed.*, ${COUNTED} FROM (SELECT listed.*, ${place} FROM (${rows}) listed ${limit}) listed
    LEFT JOIN LATERAL (SELECT ${CLICKS} FROM ${clicks} AND ${belongsToRow}) clicked ON true
    LEFT JOIN LATERAL (SELECT ${CONVERSIONS} FROM ${rolledUp} AND ${belongsToRow}) rolled ON true
    ${changed}`
}

/** What the roll-up has not counted: changed days and, for partners, what members decided manually. */
const unrolled = (programId: number, key: ListOptions['key']) => {
  const changed = conversionsByLink({ programId, days: changedDays(programId) })
  if (key === 'link_id') return changed
  return sql`SELECT partner_id, leads, sales FROM (${changed}) counted
    UNION ALL SELECT partner_id, 0, sales FROM (${manualFacts(programId)}) manual`
}

/** For partners, what members decided manually: owner, currency, revenue_cents, commission_cents. */
const manualMoney = (programId: number, key: ListOptions['key']) =>
  key === 'link_id'
    ? sql``
    : sql`UNION ALL SELECT partner_id, currency, revenue_cents, commission_cents FROM (${manualFacts(programId)}) manual`

const amountsOf = (programId: number, key: ListOptions['key']) => sql`
  SELECT owner AS id, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents
  FROM (
    SELECT ${key === 'link_id' ? sql`link.id` : sql`link.partner_id`} AS owner, currency, revenue_cents, commission_cents
    FROM (${moneyByLinks(programId)}) fact
    JOIN (SELECT id, partner_id FROM referral_links WHERE program_id = ${programId}
      UNION ALL SELECT -id, id FROM partners WHERE program_id = ${programId} AND ${key === 'partner_id'}) link ON link.id = fact.link_id ${manualMoney(programId, key)}) every
  WHERE currency = (SELECT currency FROM programs WHERE id = ${programId}) GROUP BY 1`

type Page = { programId: number; page: RawBuilder<unknown>; rowLinks: RawBuilder<unknown>; key: ListOptions['key'] }

/** Adds the revenue and commissions of the page's links and, for partners, of what members decided manually. */
const withMoney = ({ programId, page, rowLinks, key }: Page) => {
  const amounts = (column: string) => sql`coalesce((
    SELECT jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', ${sql.raw(column)}) ORDER BY currency)
    FROM money WHERE money.id = page.id AND ${sql.raw(column)} > 0), '[]')`
  return sql`
    WITH page AS MATERIALIZED (${page}), link AS MATERIALIZED (${rowLinks}), money AS MATERIALIZED (
      SELECT owner AS id, currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents
      FROM (
        SELECT link.owner, currency, revenue_cents, commission_cents
        FROM (${moneyByLinks(programId, sql`SELECT id FROM link`)}) fact JOIN link ON link.id = fact.link_id
        ${manualMoney(programId, key)}) every
      GROUP BY 1, 2)
    SELECT page.*, ${amounts('revenue_cents')} AS revenue, ${amounts('commission_cents')} AS commissions FROM page ORDER BY page.place`
}

type PartnerFilter = Omit<PartnersQuery, 'archived' | 'page' | 'pageSize' | 'sort'> & {
  programId: number
  id?: number
  archived?: PartnersQuery['archived']
}

const matchingPartners = ({ programId, id, archived = 'all', search, status, groupId }: PartnerFilter) => {
  const group = groupAt({ programId: sql`partner.program_id`, partnerId: sql`partner.id` })
  const partners = sql`SELECT partner.*, ${group} AS group_id FROM partners partner WHERE partner.program_id = ${programId}`
  return sql`SELECT id, name, email, code, status, archived, created_at, group_id,
      (SELECT named.name FROM partner_groups named WHERE named.program_id = ${programId} AND named.id = group_id) AS group_name
    FROM (${partners}) partner WHERE true ${groupId === undefined ? sql`` : sql`AND group_id = ${groupId}`} ${status ? sql`AND status = ${status}` : sql``} ${id === undefined ? sql`` : sql`AND id = ${id}`}
    ${archived === 'all' ? sql`` : sql`AND archived = ${archived === 'true'}`}
    ${search ? sql`AND id IN ${partnersWith(programId, search)}` : sql``}`
}

/** At most `limit` of the partners that a list shows, oldest first. */
export const findPartnerIds = (db: Database, { limit, ...filter }: PartnerFilter & { limit: number }) =>
  idsOf(db, matchingPartners(filter), limit)

const idsOf = async (db: Database, rows: RawBuilder<unknown>, limit: number) => {
  const { rows: found } = await sql<{ id: number }>`SELECT id FROM (${rows}) listed ORDER BY id LIMIT ${limit}`.execute(
    db,
  )
  return found.map(({ id }) => id)
}

/** A program's partners with their clicks, leads, sales and amounts. */
export const partnersWithFigures = async (
  db: Database,
  { programId, ...query }: PartnerFilter & Pick<PartnersQuery, 'page' | 'pageSize' | 'sort'>,
) => {
  const rows = matchingPartners({ programId, ...query })
  const columns = { createdAt: 'listed.created_at', name: 'lower(listed.name)' }
  const belongsToRow = countsOfPartner(programId, sql.ref('listed.id'))
  const listed = withFigures({ programId, query, rows, columns, key: 'partner_id', belongsToRow })
  const links = sql`SELECT id, partner_id AS owner FROM referral_links WHERE program_id = ${programId} AND partner_id IN (SELECT id FROM page)
    UNION ALL SELECT -id, id FROM page`
  return paged<AsDates<PartnerRow>>(
    db,
    withMoney({ programId, page: listed, rowLinks: links, key: 'partner_id' }),
    rows,
  )
}

const PARTNER_IS_INACTIVE = sql`partner.archived OR partner.status IN ('suspended', 'rejected')`

type LinkFilter = Omit<LinksQuery, 'page' | 'pageSize' | 'sort'> & { programId: number }

const matchingLinks = ({ programId, search, partnerId, active, status }: LinkFilter) => sql`
  SELECT link.id, aff, link.partner_id, partner.name AS partner_name, partner.status AS partner_status,
    coalesce(partner.archived, false) AS partner_archived, ${destinationOf('link')} AS destination_url, active, link.created_at
  FROM referral_links link LEFT JOIN partners partner ON partner.program_id = link.program_id AND partner.id = link.partner_id
  WHERE link.program_id = ${programId} ${partnerId ? sql`AND link.partner_id = ${partnerId}` : sql``}
    ${active ? sql`AND active = ${active === 'true'}` : sql``}
    ${status ? sql`AND CASE WHEN NOT active THEN 'disabled' WHEN ${PARTNER_IS_INACTIVE} THEN 'off' ELSE 'active' END = ${status}` : sql``}
    ${search ? sql`AND link.id IN ${linksWith(programId, search)}` : sql``}`

/** At most `limit` of the links that a list shows, oldest first. */
export const findLinkIds = (db: Database, { limit, ...filter }: LinkFilter & { limit: number }) =>
  idsOf(db, matchingLinks(filter), limit)

/** A program's links with their clicks, leads, sales and amounts. */
export const linksWithFigures = async (db: Database, { programId, ...query }: LinksQuery & { programId: number }) => {
  const rows = matchingLinks({ programId, ...query })
  const columns = { createdAt: 'listed.created_at', aff: 'listed.aff' }
  const listed = withFigures({
    programId,
    query,
    rows,
    columns,
    key: 'link_id',
    belongsToRow: sql`link_id = listed.id`,
  })
  const rowLinks = sql`SELECT id, id AS owner FROM page`
  return paged<AsDates<LinkRow>>(db, withMoney({ programId, page: listed, rowLinks, key: 'link_id' }), rows)
}

const paged = async <Row>(db: Database, list: RawBuilder<unknown>, rows: RawBuilder<unknown>) => {
  const [listed, counted] = await Promise.all([
    readHashed(db, list as RawBuilder<Row & { place: number }>),
    sql<{ total: number }>`SELECT count(*) AS total FROM (${rows}) listed`.execute(db),
  ])
  return {
    rows: listed.map(({ place: _, ...row }) => row as unknown as Row),
    total: counted.rows[0]?.total ?? 0,
  }
}
