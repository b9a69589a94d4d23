import { randomBytes } from 'node:crypto'
import type { ChangeLink, CreateLink } from '@tributary/contract'
import { type ExpressionBuilder, sql } from 'kysely'
import { isUniqueViolation } from '../database/bad-weather.ts'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/any-of.ts'
import type { DB } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { partnerOfCode } from './former-codes.ts'

/** The counters of a link are sums of its daily counts, so they equal its events in every snapshot. */
const counters = (expression: ExpressionBuilder<DB, 'referralLinks'>) => {
  const ofLink = expression
    .selectFrom('dailyCounts')
    .whereRef('dailyCounts.programId', '=', 'referralLinks.programId')
    .whereRef('dailyCounts.linkId', '=', 'referralLinks.id')
  return [
    ofLink.select((e) => sql<number>`coalesce(${e.fn.sum('clicks')}, 0)::bigint`.as('clicks')).as('clicks'),
    ofLink.select((e) => e.fn.max('lastClickedAt').as('last')).as('lastClicked'),
  ] as const
}

const COLUMNS = ['id', 'aff', 'partnerId', 'destinationUrl', 'active', 'createdAt'] as const

const linksOf = (db: Database, programId: number) =>
  db.selectFrom('referralLinks').select(COLUMNS).select(counters).where('programId', '=', programId)

export const findLinkByAff = (db: Database, aff: string) =>
  db.selectFrom('referralLinks').select(['id', 'programId', 'partnerId']).where('aff', '=', aff).executeTakeFirst()

/** Whether a visitor could follow a link now and have it credited to an approved partner. */
export const hasWorkingLink = async (db: Database, programId: number) =>
  Boolean(
    await db
      .selectFrom('referralLinks as link')
      .innerJoin('partners as partner', (join) =>
        join.onRef('partner.programId', '=', 'link.programId').onRef('partner.id', '=', 'link.partnerId'),
      )
      .select('link.id')
      .where('link.programId', '=', programId)
      .where('link.active', '=', true)
      .where('partner.status', '=', 'approved')
      .where('partner.archived', '=', false)
      .limit(1)
      .executeTakeFirst(),
  )

/** What people know links by. */
export const affsOf = async (db: Database, { programId, ids }: { programId: number; ids: number[] }) => {
  if (ids.length === 0) return new Map<number, string>()
  const rows = await db
    .selectFrom('referralLinks')
    .select(['id', 'aff'])
    .where('programId', '=', programId)
    .where('id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, aff }) => [id, aff]))
}

/** As it is before a change of it; held until the end of the transaction. */
export const lockLink = (tx: Tx, { programId, id }: { programId: number; id: number }) =>
  tx
    .selectFrom('referralLinks')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const createLink = async (
  db: Database,
  { aff, ...link }: CreateLink & { programId: number; createdAt: Date },
) => {
  if (aff !== undefined) await refuseCodeOfOthers(db, { aff, ...link })
  try {
    const { id } = await db
      .insertInto('referralLinks')
      .values({ ...link, aff: aff ?? randomBytes(6).toString('base64url') })
      .returning('id')
      .executeTakeFirstOrThrow()
    return await linksOf(db, link.programId).where('id', '=', id).executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error)) throw takenAff()
    throw error
  }
}

const takenAff = () => new Refusal('conflict', 'This aff value is taken. Choose another.', { field: 'aff' })

/** A code becomes a link at its first click. Until then, nobody but the partner who has it can use its name. */
const refuseCodeOfOthers = async (db: Database, link: { aff: string; programId: number; partnerId: number | null }) => {
  const owner = await partnerOfCode(db, link.aff)
  if (owner && (owner.programId !== link.programId || owner.partnerId !== link.partnerId)) throw takenAff()
}

type CodeLink = { programId: number; partnerId: number; aff: string; createdAt: Date }

/** The link that a code stands for from its first click on. False where another process was first. */
export const createCodeLink = async (tx: Tx, link: CodeLink) => {
  const created = await tx
    .insertInto('referralLinks')
    .values(link)
    .onConflict((conflict) => conflict.column('aff').doNothing())
    .returning('id')
    .executeTakeFirst()
  return created !== undefined
}

/**
 * Answered only when no click can be recorded any more on a link that this disables: the update waits for the batches
 * that hold the link, and those that follow see it disabled.
 */
export const changeLink = async (
  db: Database,
  { programId, id, ...change }: ChangeLink & { programId: number; id: number },
) => {
  const changed = await db
    .updateTable('referralLinks')
    .set((expression) => ({ active: expression.ref('active'), ...change }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    // A link that has a partner keeps it: its past clicks are that partner's.
    .$if(change.partnerId !== undefined, (query) =>
      query.where((e) => e.or([e('partnerId', 'is', null), e('partnerId', '=', change.partnerId ?? 0)])),
    )
    .executeTakeFirst()
  const link = await linksOf(db, programId).where('id', '=', id).executeTakeFirst()
  if (link && changed.numUpdatedRows === 0n)
    throw new Refusal('conflict', 'This link belongs to another partner. Create a new link instead.', {
      field: 'partnerId',
    })
  return link
}
