import type pg from 'pg'
import { bytea, copyRows, rowOf } from './copy.ts'
import type { countsOf } from './counts.ts'
import type { Amounts } from './fill.ts'
import { addOutcome, emailOf, keyOf, type Link, noRows, OUTCOME_TABLES, type Rules } from './outcomes.ts'
import { type Calendar, describe, type Visitor, visitorOf } from './visitors.ts'

export type FillContext = {
  rules: Rules
  amounts: Amounts
  calendar: Calendar
  links: Link[]
  ids: { leads: number; sales: number; commissions: number }
  counts: ReturnType<typeof countsOf>
}

const linkOf = ({ links }: FillContext, { linkIndex }: Visitor) => {
  const link = links[linkIndex]
  if (!link) throw new Error('the program to fill has no links')
  return link
}

const visitorsBetween = function* ({ calendar, rules, links }: FillContext, from: number, to: number) {
  const place = { programId: rules.program.id, links: links.length }
  for (let n = from; n < to; n++) yield visitorOf(calendar, n, place)
}

/** Spreads leads evenly over visitors: the index of this visitor's lead, if any. */
const shareOf = (n: number, part: number, whole: number) => {
  const index = Math.floor((n * part) / whole)
  return Math.floor(((n + 1) * part) / whole) > index ? index : null
}
const leadOf = ({ amounts }: FillContext, n: number) => shareOf(n, amounts.leads, amounts.clicks)
const saleOf = ({ amounts }: FillContext, lead: number) => shareOf(lead, amounts.sales, amounts.leads)

export const customerRows = function* (context: FillContext, from: number, to: number) {
  const { program, hashKey } = context.rules
  for (const visitor of visitorsBetween(context, from, to)) {
    const { id, partnerId } = linkOf(context, visitor)
    const at = new Date(visitor.atMs).toISOString()
    const lead = leadOf(context, visitor.n)
    if (lead === null) {
      yield `${program.id}\t${visitor.clickId}\tclick\t\\N\t${id}\t${partnerId}\t${at}\t${at}\t${at}\t\\N\t\\N\n`
      continue
    }
    const status = saleOf(context, lead) === null ? 'lead' : 'customer'
    const email = emailOf(visitor, hashKey)
    const place = [program.id, visitor.clickId, status, keyOf(visitor), id, partnerId, at, at, at]
    yield rowOf([...place, email && bytea(email.hash), email?.masked ?? null])
  }
}

/** One click per visitor, counted on the way. */
export const clickRows = function* (context: FillContext, from: number, to: number) {
  const programId = context.rules.program.id
  for (const visitor of visitorsBetween(context, from, to)) {
    const { id, partnerId } = linkOf(context, visitor)
    const at = new Date(visitor.atMs).toISOString()
    context.counts.click(visitor.linkIndex, visitor.atMs)
    yield `${programId}\t${visitor.eventId}\t${at}\t${at.slice(0, 10)}\t${visitor.clickId}\t${id}\t${partnerId}\tf\t${describe(visitor)}\n`
  }
}

/** Writes the leads and sales of these visitors, table by table. */
export const writeOutcomes = async (client: pg.Client, context: FillContext, from: number, to: number) => {
  const { rules, ids, calendar } = context
  const rows = noRows()
  const opened = new Set<number>()
  for (const visitor of visitorsBetween(context, from, to)) {
    const lead = leadOf(context, visitor.n)
    if (lead === null) continue
    const sale = saleOf(context, lead)
    const link = linkOf(context, visitor)
    opened.add(link.partnerId)
    const numbers = {
      leadId: ids.leads + lead,
      saleId: sale === null ? null : ids.sales + sale,
      commissionId: ids.commissions + 2 * lead,
    }
    addOutcome(rows, rules, { visitor, link, ...numbers, until: calendar.until })
  }
  for (const [table, columns] of Object.entries(OUTCOME_TABLES))
    await copyRows(client, `${table} (${columns})`, rows[table as keyof typeof rows])
  const { id, currency } = rules.program
  await client.query(
    'INSERT INTO partner_accounts (program_id, partner_id, currency) SELECT $1, unnest($2::integer[]), $3 ON CONFLICT DO NOTHING',
    [id, [...opened], currency],
  )
}
