import { randomBytes } from 'node:crypto'
import type { ChangeLink, CreateLink } from '@tributary/contract'
import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/columns.ts'
import { destinationOf } from '../database/sql/link-destination.ts'
import type { DB, ReferralLinks } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import { changing, creating } from '../outbox/publish-changes.ts'
import { Refusal } from '../refusal.ts'
import { lockCode, partnerOfSimilarCode } from './former-codes.ts'
import './partner-events.ts'

/** A link's counters are sums of its daily counts, so they match its events in every snapshot. */
const counters = (expression: ExpressionBuilder<DB, 'referralLinks'>) => {
  const ofLink = expression
    .selectFrom('dailyCounts')
    .whereRef('dailyCounts.programId', '=', 'referralLinks.programId')
    .whereRef('dailyCounts.linkId', '=', 'referralLinks.id')
  return [
    sql<number>`${ofLink.select((e) => sql`coalesce(${e.fn.sum('clicks')}, 0)::bigint`.as('clicks'))}`.as('clicks'),
    ofLink.select((e) => e.fn.max('lastClickedAt').as('last')).as('lastClicked'),
  ] as const
}

const COLUMNS = ['id', 'aff', 'partnerId', 'destinationUrl', 'active', 'createdAt'] as const

const linksOf = (db: Database, programId: number) =>
  db
    .selectFrom('referralLinks')
    .select(['id', 'aff', 'partnerId', 'active', 'createdAt', destinationOf('referralLinks').as('destinationUrl')])
    .select(counters)
    .where('programId', '=', programId)

export const findLinkByAff = (db: Database | Tx, aff: string) =>
  db.selectFrom('referralLinks').select(['id', 'programId', 'partnerId']).where('aff', '=', aff).executeTakeFirst()

/** The links of all programs whose names equal this one in any letter case. */
export const similarLinks = (db: Database, name: string) =>
  db
    .selectFrom('referralLinks')
    .select(['programId', 'partnerId'])
    .where(sql`lower(aff)`, '=', name.toLowerCase())
    .where('programId', 'is not', null)
    .execute()

/** Whether a click now would be credited to an approved partner. */
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

/** Aff values by link ID. */
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

export const findLink = (db: Database, { programId, id }: { programId: number; id: number }) =>
  linksOf(db, programId).where('id', '=', id).executeTakeFirst()

export const countLinks = async (tx: Tx, { programId, partnerId }: { programId: number; partnerId: number }) => {
  const { count } = await tx
    .selectFrom('referralLinks')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .executeTakeFirstOrThrow()
  return count
}

/** The link before a change, locked until the transaction ends. */
export const lockLink = (tx: Tx, { programId, id }: { programId: number; id: number }) =>
  tx
    .selectFrom('referralLinks')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const createLink = async (tx: Tx, { aff, ...link }: CreateLink & { programId: number; createdAt: Date }) => {
  const { programId } = link
  if (aff !== undefined) await refuseCodeOfOthers(tx, { aff, ...link })
  const name = aff ?? randomBytes(6).toString('base64url')
  const id = await insertLink(tx, { ...link, aff: name })
  if (id === null) throw affTaken()
  return linksOf(tx, programId).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Null if another link has this name: they are unique across programs, because a click knows only `aff`. */
const insertLink = async (tx: Tx, link: Insertable<ReferralLinks> & { programId: number; createdAt: Date }) => {
  const { programId, createdAt: at } = link
  const created = await creating(tx, 'link', { programId, at }, (writer) =>
    writer
      .insertInto('referralLinks')
      .values(link)
      .onConflict((conflict) => conflict.column('aff').doNothing())
      .returning('id')
      .executeTakeFirst(),
  )
  return created?.id ?? null
}

const affTaken = () =>
  new Refusal('conflict', 'This link code is already taken. Choose a different one.', { field: 'aff' })

/** A code becomes a link on its first click. Only its first partner can use it as an aff value, in any letter case. */
const refuseCodeOfOthers = async (tx: Tx, link: { aff: string; programId: number; partnerId: number | null }) => {
  await lockCode(tx, link.aff)
  const owner = await partnerOfSimilarCode(tx, link.aff)
  if (owner && (owner.programId !== link.programId || owner.partnerId !== link.partnerId)) throw affTaken()
}

type LinksChange = { programId: number; ids: number[]; active: boolean; at: Date }

/** Changes all links or none. Returns those that changed. */
export const setLinksActive = async (tx: Tx, { programId, ids, active, at }: LinksChange) => {
  const links = await tx
    .selectFrom('referralLinks')
    .select(['id', 'aff', 'active'])
    .where('programId', '=', programId)
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const missing = ids.find((id) => !links.some((link) => link.id === id))
  if (missing !== undefined) throw new Refusal('not_found', `This program has no link ${missing}. Nothing was changed.`)
  const changed = links.filter((link) => link.active !== active)
  const writer = await changing(tx, 'link', { programId, ids: changed.map(({ id }) => id), at })
  await writer
    .updateTable('referralLinks')
    .set({ active })
    .where('programId', '=', programId)
    .where('id', '=', anyOf(changed.map(({ id }) => id)))
    .execute()
  return changed
}

type CodeLink = { programId: number; partnerId: number; aff: string; createdAt: Date }

/** Creates the link for a code, to the program's first website. Null if another process was first. */
export const insertCodeLink = async (tx: Tx, link: CodeLink) => {
  const id = await insertLink(tx, link)
  return id === null ? null : { aff: link.aff, partnerId: link.partnerId, destinationUrl: null, active: true }
}

/**
 * Returns once no more clicks can be recorded on a link that this disables: the update waits for batches that hold the link, and
 * later ones see it disabled.
 */
export const changeLink = async (
  tx: Tx,
  { programId, id, at, ...change }: ChangeLink & { programId: number; id: number; at: Date },
) => {
  const writer = await changing(tx, 'link', { programId, ids: [id], at })
  const changed = await writer
    .updateTable('referralLinks')
    .set((expression) => ({ active: expression.ref('active'), ...change }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    // A link keeps its partner, who owns its past clicks.
    .$if(change.partnerId !== undefined, (query) =>
      query.where((e) => e.or([e('partnerId', 'is', null), e('partnerId', '=', change.partnerId ?? 0)])),
    )
    .executeTakeFirst()
  const link = await linksOf(tx, programId).where('id', '=', id).executeTakeFirst()
  if (link && changed.numUpdatedRows === 0n)
    throw new Refusal('conflict', 'This link belongs to another partner. Create a new link instead.', {
      field: 'partnerId',
    })
  return link
}
