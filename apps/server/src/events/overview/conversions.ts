import { type RawBuilder, sql } from 'kysely'
import { changedDays } from '../roll-up/changed-days.ts'
import { conversionsByLink, moneyByLink } from './facts.ts'

/**
 * Leads, sales and money as they are at this moment: days that are not marked from what is rolled up, marked ones from their rows.
 * Each is a query whose rows the caller filters and sums, in one statement, so nothing is missed or counted twice.
 */
const changed = (programId: number) => ({ programId, days: changedDays(programId) })

/** day, link_id, partner_id, leads, sales */
export const conversionsOf = (programId: number) => sql`
  SELECT day, link_id, partner_id, leads, sales FROM daily_conversions
  WHERE program_id = ${programId} AND day <> ALL (${changedDays(programId)})
  UNION ALL ${conversionsByLink(changed(programId))}`

/** The same of all links together: day, leads, sales. A day has few devices, and may have thousands of links. */
export const conversionsByDay = (programId: number) => sql`
  SELECT day, leads, sales FROM daily_breakdowns
  WHERE program_id = ${programId} AND dimension = 'device' AND day <> ALL (${changedDays(programId)})
  UNION ALL
  SELECT day, leads, sales FROM (${conversionsByLink(changed(programId))}) fact`

/** Of some links, a query of their numbers: day, link_id, currency, revenue_cents, commission_cents. */
export const moneyOf = (programId: number, links: RawBuilder<unknown>) => sql`
  SELECT day, value::integer AS link_id, currency, revenue_cents, commission_cents FROM daily_money
  WHERE program_id = ${programId} AND dimension = 'link' AND day <> ALL (${changedDays(programId)})
    AND value IN (SELECT id::text FROM (${links}) link(id))
  UNION ALL
  SELECT day, link_id, currency, revenue_cents, commission_cents FROM (${moneyByLink({ ...changed(programId), links })}) fact`

/** The same of all links together: day, currency, revenue_cents, commission_cents. */
export const moneyByDay = (programId: number) => sql`
  SELECT day, currency, revenue_cents, commission_cents FROM daily_money
  WHERE program_id = ${programId} AND dimension = 'device' AND day <> ALL (${changedDays(programId)})
  UNION ALL
  SELECT day, currency, revenue_cents, commission_cents FROM (${moneyByLink(changed(programId))}) fact`
