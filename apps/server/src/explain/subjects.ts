import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/columns.ts'
import { DEFAULT_TERMS } from './words.ts'

const SALE_COLUMNS = [
  'id',
  'invoiceId',
  'customerKey',
  'amountCents',
  'grossCents',
  'currency',
  'soldAt',
  'clickId',
  'partnerId',
  'voidedAt',
  'secondsSinceClick',
  'clickEvidence',
] as const
const MAX_SALES = 20

export type ExplainedSale = NonNullable<Awaited<ReturnType<typeof findSale>>>

export const findSale = (db: Database, by: { programId: number } & ({ id: number } | { invoiceId: string })) =>
  db
    .selectFrom('sales')
    .select(SALE_COLUMNS)
    .where('programId', '=', by.programId)
    .where((e) => ('id' in by ? e('id', '=', by.id) : e('invoiceId', '=', by.invoiceId)))
    .executeTakeFirst()

/** The newest sales of a customer: sent with their key, or credited to their click. */
export const salesOfCustomer = (
  db: Database,
  { programId, customerKey, clickId }: { programId: number; customerKey: string; clickId: string | null },
) =>
  db
    .selectFrom('sales')
    .select(SALE_COLUMNS)
    .where('programId', '=', programId)
    .where('voidedAt', 'is', null)
    .where((e) => e.or([e('customerKey', '=', customerKey), ...(clickId === null ? [] : [e('clickId', '=', clickId)])]))
    .orderBy('id', 'desc')
    .limit(MAX_SALES)
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
      return e('leads.clickId', '=', known.where('customerKeys.customerKey', '=', by.customerKey))
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

/** Whether a recent test event of this type has this value. */
export const cameAsTest = async (
  db: Database,
  { programId, type, field, value }: { programId: number; type: string; field: string; value: string },
) => {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM (
        SELECT details FROM test_events WHERE program_id = ${programId} AND event_type = ${type}
        ORDER BY id DESC LIMIT ${sql.lit(NEWEST_TESTS)}) test
      WHERE details ->> ${field} = ${value}) AS found`.execute(db)
  return rows[0]?.found ?? false
}

export type Named = { partnerId: number; linkId: number | null; codeId?: number }

/** The names of partners, links and reward terms, and the time zone in which to write times. */
export const namesOf = async (
  db: Database,
  { programId, named, versions }: { programId: number; named: Named[]; versions: number[] },
) => {
  const program = await db.selectFrom('programs').select('timezone').where('id', '=', programId).executeTakeFirst()
  const timezone = program?.timezone ?? 'UTC'
  const terms = await namesOfTerms(db, { programId, versions })
  if (named.length === 0)
    return {
      timezone,
      terms,
      partners: new Map<number, string>(),
      links: new Map<number, string>(),
      codes: new Map<number, string>(),
    }
  const partnerIds = [...new Set(named.map(({ partnerId }) => partnerId))]
  const linkIds = [...new Set(named.flatMap(({ linkId }) => linkId ?? []))]
  const partners = db.selectFrom('partners').select(['id', 'name']).where('programId', '=', programId)
  const links = db.selectFrom('referralLinks').select(['id', 'aff']).where('programId', '=', programId)
  const codeIds = [...new Set(named.flatMap(({ codeId }) => codeId ?? []))]
  const [partnerRows, linkRows, codes] = await Promise.all([
    partners.where('id', '=', anyOf(partnerIds)).execute(),
    links.where('id', '=', anyOf(linkIds)).execute(),
    codeTextsOf(db, { programId, ids: codeIds }),
  ])
  return {
    timezone,
    terms,
    partners: new Map(partnerRows.map(({ id, name }) => [id, name])),
    links: new Map(linkRows.map(({ id, aff }) => [id, aff])),
    codes,
  }
}

const codeTextsOf = async (db: Database, { programId, ids }: { programId: number; ids: number[] }) => {
  if (ids.length === 0) return new Map<number, string>()
  const { rows } = await sql<{ id: number; code: string }>`
    SELECT id, code FROM promotion_codes WHERE program_id = ${programId} AND id = ANY (${ids}::integer[])`.execute(db)
  return new Map(rows.map(({ id, code }) => [id, code]))
}

/** The default group's terms belong to no partner and no group. */
const namesOfTerms = async (db: Database, { programId, versions }: { programId: number; versions: number[] }) => {
  if (versions.length === 0) return new Map<number, string>()
  const { rows } = await sql<{ version: number; isCustom: boolean; groupName: string | null }>`
    SELECT terms.version, terms.partner_id IS NOT NULL AS is_custom, named.name AS group_name FROM reward_terms terms
    LEFT JOIN partner_groups named ON named.program_id = terms.program_id AND named.id = terms.group_id
    WHERE terms.program_id = ${programId} AND terms.version = ANY (${versions}::integer[])`.execute(db)
  return new Map(
    rows.map(({ version, isCustom, groupName }) => {
      if (isCustom) return [version, 'the partner’s custom terms']
      return [version, groupName === null ? DEFAULT_TERMS : `the terms of the group ${groupName}`]
    }),
  )
}

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

/** The payouts that paid a commission. */
export const payoutsOfCommission = (
  db: Database,
  { programId, commissionId }: { programId: number; commissionId: number },
) =>
  db
    .selectFrom('payoutCommissions')
    .innerJoin('payoutLines as line', (join) =>
      join
        .onRef('line.programId', '=', 'payoutCommissions.programId')
        .onRef('line.id', '=', 'payoutCommissions.payoutLineId'),
    )
    .select(['line.payoutId', 'line.decidedAt'])
    .where('payoutCommissions.programId', '=', programId)
    .where('payoutCommissions.commissionId', '=', commissionId)
    .where('line.status', '=', 'paid')
    .orderBy('line.id')
    .execute()
