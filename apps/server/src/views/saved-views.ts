import type { ChangeView, CreateView, ViewList } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOfTexts } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'
import { isUniqueViolation } from '../database/transient-errors.ts'
import { Refusal } from '../refusal.ts'

/** Per user and program. */
const MAX_VIEWS = 100

type Owner = { programId: number; userId: string }

const COLUMNS = ['id', 'list', 'name', 'shared', 'search', 'columns', 'userId', 'createdAt'] as const

type Stored = { list: string; search: unknown; userId: string }

const viewAnswer = <Row extends Stored>({ userId, ...view }: Row, viewer: string) => ({
  ...view,
  list: view.list as ViewList,
  search: view.search as Record<string, string>,
  own: userId === viewer,
})

/** The user's own views and those that others share, by name. */
export const listViews = async (db: Database, { programId, userId, lists }: Owner & { lists: ViewList[] }) => {
  const rows = await db
    .selectFrom('savedViews')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('list', '=', anyOfTexts(lists))
    .where((e) => e.or([e('userId', '=', userId), e('shared', '=', true)]))
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map((row) => viewAnswer(row, userId))
}

/** Namespace of the advisory lock; 1 is for reward terms. */
const VIEWS_LOCK = 2

export const createView = async (tx: Tx, view: CreateView & Owner & { createdAt: Date }) => {
  const { programId, userId } = view
  // Concurrent calls could exceed the limit.
  await sql`SELECT pg_advisory_xact_lock(${VIEWS_LOCK}, hashtext(${`${programId} ${userId}`}))`.execute(tx)
  const { count } = await tx
    .selectFrom('savedViews')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('programId', '=', programId)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_VIEWS)
    throw new Refusal('conflict', `You already have ${MAX_VIEWS} views in this program. Delete one first.`)
  const row = await orNameTaken(
    tx
      .insertInto('savedViews')
      .values({ ...view, search: JSON.stringify(view.search) })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  )
  return viewAnswer(row, userId)
}

const orNameTaken = async <Row>(write: Promise<Row>) => {
  try {
    return await write
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Refusal(
      'conflict',
      'A view of this list already has this name. Choose another name, or delete it first.',
      {
        field: 'name',
      },
    )
  }
}

type Changed = Owner & { id: number; change: ChangeView }

/** Changes a view that the caller has locked. It stays its owner's. */
export const changeView = async (tx: Tx, { programId, userId, id, change: { search, ...change } }: Changed) => {
  const row = await orNameTaken(
    tx
      .updateTable('savedViews')
      .set({ ...change, ...(search && { search: JSON.stringify(search) }) })
      .where('programId', '=', programId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  )
  return viewAnswer(row, userId)
}

/** A view that the user may see. */
export const findView = async (db: Database, key: Owner & { id: number }) => {
  const row = await visibleView(db, key).executeTakeFirst()
  return row && viewAnswer(row, key.userId)
}

/** The same, locked until the transaction ends. */
export const lockView = async (tx: Tx, key: Owner & { id: number }) => {
  const row = await visibleView(tx, key).forUpdate().executeTakeFirst()
  return row && viewAnswer(row, key.userId)
}

const visibleView = (db: Database | Tx, { programId, userId, id }: Owner & { id: number }) =>
  db
    .selectFrom('savedViews')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('id', '=', id)
    .where((e) => e.or([e('userId', '=', userId), e('shared', '=', true)]))

export const deleteView = (tx: Tx, { programId, id }: { programId: number; id: number }) =>
  tx.deleteFrom('savedViews').where('programId', '=', programId).where('id', '=', id).execute()

/** Deletes what only a former member could see. What they shared stays with the team. */
export const deletePrivateViews = (tx: Tx, { workspaceId, userId }: { workspaceId: string; userId: string }) =>
  sql`
    DELETE FROM saved_views view USING programs program
    WHERE program.id = view.program_id AND program.workspace_id = ${workspaceId} AND view.user_id = ${userId}
      AND NOT view.shared`.execute(tx)

/** Deletes the views that search for an erased customer. */
export const forgetViews = async (
  tx: Tx,
  { programId, customerKey }: { programId: number; customerKey: string | null },
) => {
  if (customerKey === null) return
  await sql`
    DELETE FROM saved_views WHERE program_id = ${programId}
      AND EXISTS (SELECT FROM jsonb_each_text(search) WHERE lower(value) = lower(${customerKey}))`.execute(tx)
}
