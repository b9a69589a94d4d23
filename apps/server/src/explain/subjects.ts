import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/any-of.ts'

/** What can be asked about, as far as an answer needs it. */

const SALE = [
  'id',
  'invoiceId',
  'customerKey',
  'amountCents',
  'currency',
  'soldAt',
  'clickId',
  'partnerId',
  'voidedAt',
] as const
const SALES_OF_CUSTOMER = 20

export type ExplainedSale = NonNullable<Awaited<ReturnType<typeof findSale>>>

export const findSale = (db: Database, by: { programId: number } & ({ id: number } | { invoiceId: string })) =>
  db
    .selectFrom('sales')
    .select(SALE)
    .where('programId', '=', by.programId)
    .where((e) => ('id' in by ? e('id', '=', by.id) : e('invoiceId', '=', by.invoiceId)))
    .executeTakeFirst()

/** The newest sales of a customer: those that name the key, and those that were credited to their record. */
export const salesOfCustomer = (
  db: Database,
  { programId, customerKey, clickId }: { programId: number; customerKey: string; clickId: string | null },
) =>
  db
    .selectFrom('sales')
    .select(SALE)
    .where('programId', '=', programId)
    .where('voidedAt', 'is', null)
    .where((e) => e.or([e('customerKey', '=', customerKey), ...(clickId === null ? [] : [e('clickId', '=', clickId)])]))
    .orderBy('id', 'desc')
    .limit(SALES_OF_CUSTOMER)
    .execute()

export type ExplainedLead = NonNullable<Awaited<ReturnType<typeof findLead>>>

export const findLead = (
  db: Database,
  by: { programId: number } & ({ id: number } | { clickId: string } | { customerKey: string }),
) =>
  db
    .selectFrom('leads')
    .innerJoin('customers', (join) =>
      join.onRef('customers.programId', '=', 'leads.programId').onRef('customers.clickId', '=', 'leads.clickId'),
    )
    .select(['leads.id', 'leads.clickId', 'leads.partnerId'])
    .select('customers.customerKey')
    .where('leads.programId', '=', by.programId)
    .where((e) => {
      if ('id' in by) return e('leads.id', '=', by.id)
      if ('clickId' in by) return e('leads.clickId', '=', by.clickId)
      const known = e.selectFrom('customerKeys').select('clickId').where('customerKeys.programId', '=', by.programId)
      return e('leads.clickId', 'in', known.where('customerKeys.customerKey', '=', by.customerKey))
    })
    .executeTakeFirst()

export const findClick = (db: Database, { programId, clickId }: { programId: number; clickId: string }) =>
  db
    .selectFrom('customers')
    .select(['clickId', 'linkId', 'partnerId', 'creditedClickAt', 'lastClickedAt'])
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .executeTakeFirst()

const NEWEST_TESTS = 1_000

/** Whether it was only ever tried out: a test event of that kind has this value. */
export const cameAsTest = async (
  db: Database,
  { programId, type, field, value }: { programId: number; type: string; field: string; value: string },
) => {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM (
        SELECT details FROM test_events WHERE program_id = ${programId} AND event_type = ${type}
        ORDER BY id DESC LIMIT ${NEWEST_TESTS}) test
      WHERE details ->> ${field} = ${value}) AS found`.execute(db)
  return rows[0]?.found ?? false
}

export type Named = { partnerId: number; linkId: number }

/** What partners and links are called. */
export const namesOf = async (db: Database, programId: number, named: Named[]) => {
  if (named.length === 0) return { partners: new Map<number, string>(), links: new Map<number, string>() }
  const partnerIds = [...new Set(named.map(({ partnerId }) => partnerId))]
  const linkIds = [...new Set(named.map(({ linkId }) => linkId))]
  const partners = db.selectFrom('partners').select(['id', 'name']).where('programId', '=', programId)
  const links = db.selectFrom('referralLinks').select(['id', 'aff']).where('programId', '=', programId)
  const [partnerRows, linkRows] = await Promise.all([
    partners.where('id', '=', anyOf(partnerIds)).execute(),
    links.where('id', '=', anyOf(linkIds)).execute(),
  ])
  return {
    partners: new Map(partnerRows.map(({ id, name }) => [id, name])),
    links: new Map(linkRows.map(({ id, aff }) => [id, aff])),
  }
}

/** The commission of an event, if it earned one. */
export const commissionIdOf = async (
  db: Database,
  { programId, of }: { programId: number; of: { leadId: number } | { saleId: number } },
) => {
  const row = await db
    .selectFrom('commissions')
    .select('id')
    .where('programId', '=', programId)
    .where((e) => ('leadId' in of ? e('leadId', '=', of.leadId) : e('saleId', '=', of.saleId)))
    .executeTakeFirst()
  return row?.id ?? null
}
