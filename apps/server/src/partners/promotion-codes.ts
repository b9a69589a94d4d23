import type { CodesQuery } from '@tributary/contract/programs/codes'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { partnersWith } from '../database/sql/search.ts'
import { containing, orderBy, sortField } from '../database/sql/sorting.ts'
import type { PromotionCodes } from '../database/tables.ts'
import { readHashed, type Tx } from '../database/transaction.ts'
import { isUniqueViolation } from '../database/transient-errors.ts'
import { changing, creating } from '../outbox/publish-changes.ts'
import { Refusal } from '../refusal.ts'
import './code-events.ts'

const COLUMNS = ['id', 'code', 'partnerId', 'active', 'requested', 'processor', 'externalId', 'createdAt'] as const

export type PromotionCode = Pick<Selectable<PromotionCodes>, (typeof COLUMNS)[number]>
type CodeKey = { programId: number; id: number }

const codesOf = (db: Database | Tx, { programId, id }: CodeKey) =>
  db.selectFrom('promotionCodes').select(COLUMNS).where('programId', '=', programId).where('id', '=', id)

export const findCode = (db: Database | Tx, key: CodeKey) => codesOf(db, key).executeTakeFirst()

/** The code before a change, locked until the transaction ends. */
export const lockCode = (tx: Tx, key: CodeKey) => codesOf(tx, key).forUpdate().executeTakeFirst()

type NewCode = Omit<PromotionCode, 'id'> & { programId: number }

export const insertCode = (tx: Tx, code: NewCode): Promise<PromotionCode> =>
  orTaken(code.code, () =>
    creating(tx, 'code', { programId: code.programId, at: code.createdAt }, (writer) =>
      writer.insertInto('promotionCodes').values(code).returning(COLUMNS).executeTakeFirstOrThrow(),
    ),
  )

type CodeChange = CodeKey & { change: Partial<Pick<PromotionCode, 'partnerId' | 'active' | 'requested'>>; at: Date }

export const changeCode = async (tx: Tx, before: PromotionCode, { programId, id, change, at }: CodeChange) => {
  const writer = await changing(tx, 'code', { programId, ids: [id], at })
  return orTaken(before.code, () =>
    writer
      .updateTable('promotionCodes')
      .set(change)
      .where('programId', '=', programId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  )
}

/** The unique index decides between concurrent calls. */
const orTaken = async <Row>(code: string, write: () => Promise<Row>) => {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw taken(code)
    throw error
  }
}

const taken = (code: string) =>
  new Refusal(
    'conflict',
    `code ${code} is already an active code of this program, in this or another letter case. Disable that one first, or choose another.`,
    { field: 'code' },
  )

/** Refuses a code that is active or that a partner already requested, in any letter case. */
export const refuseTakenCode = async (tx: Tx, { programId, code }: { programId: number; code: string }) => {
  const { rows } = await sql`
    SELECT FROM promotion_codes WHERE program_id = ${programId} AND lower(code) = lower(${code}) AND (active OR requested)`.execute(
    tx,
  )
  if (rows.length > 0) throw taken(code)
}

export const countRequests = async (tx: Tx, { programId, partnerId }: { programId: number; partnerId: number }) => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM promotion_codes
    WHERE program_id = ${programId} AND partner_id = ${partnerId} AND requested`.execute(tx)
  return rows[0]?.count ?? 0
}

type Ownership = { programId: number; codeId: number; at: Date }

export const endOwnership = (tx: Tx, { programId, codeId, at }: Ownership) =>
  tx
    .updateTable('promotionCodePeriods')
    .set({ endsAt: at })
    .where('programId', '=', programId)
    .where('codeId', '=', codeId)
    .where('endsAt', 'is', null)
    .execute()

/** From now on, sales with the code count for the partner. */
export const beginOwnership = (
  tx: Tx,
  { programId, codeId, partnerId, at, appliesToEarlier }: Ownership & { partnerId: number; appliesToEarlier: boolean },
) =>
  tx
    .insertInto('promotionCodePeriods')
    .values({ programId, codeId, partnerId, startsAt: at, appliesToEarlier })
    .execute()

/** The current owner's period also covers earlier times without an owner. */
export const applyOwnershipToEarlier = (tx: Tx, { programId, codeId }: Omit<Ownership, 'at'>) =>
  tx
    .updateTable('promotionCodePeriods')
    .set({ appliesToEarlier: true })
    .where('programId', '=', programId)
    .where('codeId', '=', codeId)
    .where('endsAt', 'is', null)
    .execute()

type Amount = { currency: string; amountCents: number }
export type Figures = { uses: number; revenue: Amount[]; commissions: Amount[] }
type Earlier = { total: number; done: number; finishedAt: string | null }
type CodeRow = PromotionCode &
  Figures & { partnerName: string; partnerArchived: boolean; earlier: Earlier | null; isOwner: boolean }

/** What the code brought: all of it, or one partner's share. Over the alias `code`. */
const figuresOf = (partnerId: number | null) => {
  const isOwn = (alias: string) =>
    partnerId === null ? sql`` : sql`AND ${sql.ref(`${alias}.partner_id`)} = ${partnerId}::integer`
  const credited = sql`sales sale WHERE sale.program_id = code.program_id AND sale.code_id = code.id AND sale.voided_at IS NULL ${isOwn('sale')}`
  const sums = (rows: RawBuilder<unknown>) => sql`coalesce((
    SELECT jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', cents) ORDER BY currency) FROM (
      SELECT currency, sum(amount_cents)::bigint AS cents FROM (${rows}) amount GROUP BY currency HAVING sum(amount_cents) > 0) total), '[]')`
  return {
    uses: sql`(SELECT count(*) FROM ${credited} AND sale.promotion_code IS NOT NULL)`,
    revenue: sums(sql`SELECT sale.currency, sale.amount_cents FROM ${credited}`),
    commissions: sums(sql`
      SELECT earned.currency, earned.amount_cents FROM sales sale
      JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id
      WHERE sale.program_id = code.program_id AND sale.code_id = code.id AND sale.voided_at IS NULL ${isOwn('sale')}
      UNION ALL
      SELECT earned.currency, earned.amount_cents FROM leads lead
      JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id
      WHERE lead.program_id = code.program_id AND lead.code_id = code.id ${isOwn('lead')}`),
  }
}

const SORTS = { createdAt: 'listed.id', code: 'lower(listed.code)', uses: 'listed.uses' }

type List = Pick<CodesQuery, 'sort' | 'page' | 'pageSize'>

const listed = async (
  db: Database,
  { rows, partnerId, sort, page, pageSize }: List & { rows: RawBuilder<unknown>; partnerId: number | null },
) => {
  const { uses, revenue, commissions } = figuresOf(partnerId)
  const isOwner = partnerId === null ? sql`true` : sql`code.partner_id = ${partnerId}::integer`
  const order = orderBy(sort, SORTS, 'listed.id')
  // Sorting by uses needs those of every code; otherwise those of one page are enough.
  const isByUses = sortField(sort) === 'uses'
  const found = await readHashed(
    db,
    sql`
      WITH page AS MATERIALIZED (
        SELECT listed.*, row_number() OVER (${order}) AS place FROM (SELECT code.*${isByUses ? sql`, ${uses} AS uses` : sql``} FROM (${rows}) code) listed
        ${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize})
      SELECT code.id, code.code, code.partner_id, code.active, code.requested, code.processor, code.external_id, code.created_at,
        ${isByUses ? sql`code.uses` : uses} AS uses,
        ${isOwner} AS is_owner, partner.name AS partner_name, partner.archived AS partner_archived,
        ${revenue} AS revenue, ${commissions} AS commissions,
        (SELECT jsonb_build_object('total', total, 'done', done, 'finishedAt', to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          FROM code_backfills backfill WHERE backfill.program_id = code.program_id AND backfill.code_id = code.id) AS earlier
      FROM page code JOIN partners partner ON partner.program_id = code.program_id AND partner.id = code.partner_id
      ORDER BY place` as RawBuilder<CodeRow>,
  )
  const counted = await sql<{ total: number }>`SELECT count(*) AS total FROM (${rows}) listed`.execute(db)
  return { rows: found, total: counted.rows[0]?.total ?? 0 }
}

const STATES = { active: sql`active`, requested: sql`requested`, disabled: sql`NOT active AND NOT requested` }

type Filter = Omit<CodesQuery, 'page' | 'pageSize' | 'sort'> & { programId: number; id?: number }

const matching = ({ programId, id, search, partnerId, state }: Filter) => sql`
  SELECT * FROM promotion_codes WHERE program_id = ${programId}
    ${id === undefined ? sql`` : sql`AND id = ${id}`}
    ${partnerId === undefined ? sql`` : sql`AND partner_id = ${partnerId}`}
    ${state === undefined ? sql`` : sql`AND ${STATES[state]}`}
    ${search ? sql`AND (code ILIKE ${containing(search)} OR partner_id IN ${partnersWith(programId, search)})` : sql``}`

/** A program's codes with what they brought. */
export const codesWithFigures = (db: Database, { programId, id, search, partnerId, state, ...list }: Filter & List) =>
  listed(db, { ...list, partnerId: null, rows: matching({ programId, ...(id && { id }), search, partnerId, state }) })

type OfPartner = List & { programId: number; partnerId: number }

/** The codes that a partner has, had or requested, with what they brought the partner. */
export const codesOfPartner = (db: Database, { programId, partnerId, ...list }: OfPartner) =>
  listed(db, {
    ...list,
    partnerId,
    rows: sql`
      SELECT * FROM promotion_codes code WHERE program_id = ${programId} AND (partner_id = ${partnerId} OR EXISTS (
        SELECT FROM promotion_code_periods period
        WHERE period.program_id = code.program_id AND period.code_id = code.id AND period.partner_id = ${partnerId}))`,
  })
