import { sql } from 'kysely'
import type { TestService } from './service.ts'

/** What is in the database, for the second half of every test: what the call left behind. */

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

/** The counters of a link, or of a whole program: sums of the daily counts. */
export const countsOf = async ({ db }: TestService, of: { programId: number } | { linkId: number }) => {
  const filter = 'linkId' in of ? sql`link_id = ${of.linkId}` : sql`program_id = ${of.programId}`
  const { rows } = await sql<{ clicks: number; leads: number; sales: number; lastClickedAt: Date | null }>`
    SELECT coalesce(sum(clicks), 0)::bigint AS clicks, coalesce(sum(leads), 0)::bigint AS leads,
      coalesce(sum(sales), 0)::bigint AS sales, max(last_clicked_at) AS last_clicked_at
    FROM daily_counts WHERE ${filter}`.execute(db)
  return rows[0] as (typeof rows)[0]
}

/** How many rows of any kind a program has: the same before and after whatever must record nothing. */
export const everythingOf = async ({ db }: TestService) => {
  const { rows } = await sql<Record<string, number>>`
    SELECT (SELECT count(*) FROM customers) AS customers, (SELECT count(*) FROM click_events) AS clicks,
      (SELECT count(*) FROM leads) AS leads, (SELECT count(*) FROM sales) AS sales, (SELECT count(*) FROM test_events) AS tests,
      (SELECT count(*) FROM customer_keys) AS keys,
      (SELECT coalesce(sum(clicks + leads + sales), 0)::bigint FROM daily_counts) AS counted`.execute(db)
  return rows[0]
}
