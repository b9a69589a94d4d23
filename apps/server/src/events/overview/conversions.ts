import { type RawBuilder, sql } from 'kysely'
import { changedDays } from '../roll-up/changed-days.ts'
import { conversionsByLink, moneyByLink } from './facts.ts'

/**
 * Current leads, sales and money: unchanged days come from the roll-up, changed ones from their rows. Each query is part of one
 * statement, so nothing is missed or counted twice.
 */
const changed = (programId: number) => ({ programId, days: changedDays(programId) })

/** day, link_id, partner_id, leads, sales */
export const conversionsOf = (programId: number) => sql`
  SELECT day, link_id, partner_id, leads, sales FROM daily_conversions
  WHERE program_id = ${programId} AND day <> ALL (${changedDays(programId)})
  UNION ALL ${conversionsByLink(changed(programId))}`

/** For all links: day, leads, sales. Uses the device breakdown, because a day has few devices and may have thousands of links. */
export const conversionsByDay = (programId: number) => sql`
  SELECT day, leads, sales FROM daily_breakdowns
  WHERE program_id = ${programId} AND dimension = 'device' AND day <> ALL (${changedDays(programId)})
  UNION ALL
  SELECT day, leads, sales FROM (${conversionsByLink(changed(programId))}) fact`

/** For some links, given as a query of few IDs, or for all: day, link_id, currency, revenue_cents, commission_cents. */
export const moneyByLinks = (programId: number, links?: RawBuilder<unknown>) => sql`
  SELECT day, value::integer AS link_id, currency, revenue_cents, commission_cents FROM daily_money
  WHERE program_id = ${programId} AND dimension = 'link' AND day <> ALL (${changedDays(programId)})
    ${links ? sql`AND value = ANY (ARRAY(SELECT id::text FROM (${links}) link(id)))` : sql``}
  UNION ALL
  SELECT day, link_id, currency, revenue_cents, commission_cents FROM (${moneyByLink({ ...changed(programId), ...(links && { links }) })}) fact`

/** For all links: day, currency, revenue_cents, commission_cents. */
export const moneyByDay = (programId: number) => sql`
  SELECT day, currency, revenue_cents, commission_cents FROM daily_money
  WHERE program_id = ${programId} AND dimension = 'device' AND day <> ALL (${changedDays(programId)})
  UNION ALL
  SELECT day, currency, revenue_cents, commission_cents FROM (${moneyByLink(changed(programId))}) fact`
