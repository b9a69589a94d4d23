import { sql } from 'kysely'
import { conversionsOf } from '../../src/events/overview/conversions.ts'
import type { TestService } from './service.ts'

/** Reads the rows that a call wrote. */

export const clickEventsOf = ({ db }: TestService, linkId: number) =>
  db.selectFrom('clickEvents').selectAll().where('linkId', '=', linkId).orderBy('clickedAt').execute()

export const customerOf = ({ db }: TestService, clickId: string) =>
  db.selectFrom('customers').selectAll().where('clickId', '=', clickId).executeTakeFirst()

export const leadsOf = ({ db }: TestService, programId: number) =>
  db.selectFrom('leads').selectAll().where('programId', '=', programId).orderBy('id').execute()

export const salesOf = ({ db }: TestService, programId: number) =>
  db.selectFrom('sales').selectAll().where('programId', '=', programId).orderBy('id').execute()

export const testEventsOf = ({ db }: TestService, programId: number) =>
  db.selectFrom('testEvents').selectAll().where('programId', '=', programId).execute()

/** The counters of a link, or of a whole program, as the service reads them. */
export const countsOf = async ({ db }: TestService, of: { programId: number } | { linkId: number }) => {
  const filter = 'linkId' in of ? sql`link_id = ${of.linkId}` : sql`true`
  const programId = 'programId' in of ? of.programId : await programOfLink(db, of.linkId)
  const { rows } = await sql<{ clicks: number; leads: number; sales: number; lastClickedAt: Date | null }>`
    SELECT coalesce(sum(clicks), 0)::bigint AS clicks, max(last_clicked_at) AS last_clicked_at,
      (SELECT coalesce(sum(leads), 0)::bigint FROM (${conversionsOf(programId)}) fact WHERE ${filter}) AS leads,
      (SELECT coalesce(sum(sales), 0)::bigint FROM (${conversionsOf(programId)}) fact WHERE ${filter}) AS sales
    FROM daily_counts WHERE program_id = ${programId} AND ${filter}`.execute(db)
  return rows[0] as (typeof rows)[0]
}

const programOfLink = async (db: TestService['db'], linkId: number) => {
  const link = await db.selectFrom('referralLinks').select('programId').where('id', '=', linkId).executeTakeFirst()
  if (!link?.programId) throw new Error('the link has no program')
  return link.programId
}

/** The number of rows in every table: equal before and after a call that must record nothing. */
export const everythingOf = async ({ db }: TestService) => {
  const { rows } = await sql<Record<string, number>>`
    SELECT (SELECT count(*) FROM customers) AS customers, (SELECT count(*) FROM click_events) AS clicks,
      (SELECT count(*) FROM leads) AS leads, (SELECT count(*) FROM sales) AS sales, (SELECT count(*) FROM test_events) AS tests,
      (SELECT count(*) FROM customer_keys) AS keys,
      (SELECT coalesce(sum(clicks), 0)::bigint FROM daily_counts) AS counted`.execute(db)
  return rows[0]
}
