import { randomBytes } from 'node:crypto'
import type { ChangeLink, CreateLink } from '@tributary/contract'
import { type ExpressionBuilder, sql } from 'kysely'
import { anyOf } from '../database/any-of.ts'
import { isUniqueViolation } from '../database/bad-weather.ts'
import type { Database } from '../database/connect.ts'
import type { DB } from '../database/tables.ts'
import { Refusal } from '../refusal.ts'

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
  db.selectFrom('referralLinks').select(['id', 'programId']).where('aff', '=', aff).executeTakeFirst()

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

export const createLink = async (
  db: Database,
  { aff, ...link }: CreateLink & { programId: number; createdAt: Date },
) => {
  try {
    const { id } = await db
      .insertInto('referralLinks')
      .values({ ...link, aff: aff ?? randomBytes(6).toString('base64url') })
      .returning('id')
      .executeTakeFirstOrThrow()
    return await linksOf(db, link.programId).where('id', '=', id).executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error))
      throw new Refusal('conflict', 'This aff value is taken. Choose another.', { field: 'aff' })
    throw error
  }
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
