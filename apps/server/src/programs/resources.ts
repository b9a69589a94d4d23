import { MAX_RESOURCES, type Resource } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'

const COLUMNS = ['id', 'kind', 'title', 'body', 'fileName', 'contentType', 'sizeBytes', 'createdAt'] as const
type Row = Omit<Resource, 'kind' | 'createdAt'> & { kind: string; createdAt: Date }

const asResource = ({ kind, createdAt, ...row }: Row): Resource => ({
  ...row,
  kind: kind as Resource['kind'],
  createdAt: createdAt.toISOString(),
})

export const listResources = async (db: Database | Tx, programId: number) => {
  const rows = await db
    .selectFrom('programResources')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .orderBy('id')
    .limit(MAX_RESOURCES)
    .execute()
  return rows.map(asResource)
}

export type NewContent = { title: string } & (
  | { kind: 'text'; body: string }
  | { kind: 'file'; fileName: string; contentType: string; content: Buffer }
)
type NewResource = NewContent & { programId: number; at: Date }

/** The caller has locked the program, so that the limit holds. */
export const addResource = async (tx: Tx, { at, ...resource }: NewResource) => {
  const { programId } = resource
  const { count } = await tx
    .selectFrom('programResources')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('programId', '=', programId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_RESOURCES)
    throw new Refusal('conflict', `A program has at most ${MAX_RESOURCES} resources. Remove one first.`)
  const size = resource.kind === 'file' ? { sizeBytes: resource.content.byteLength } : {}
  const row = await tx
    .insertInto('programResources')
    .values({ ...resource, ...size, createdAt: at })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return asResource(row)
}

type Key = { programId: number; id: number }
type Change = Key & { title?: string | undefined; body?: string | undefined }

export const findResource = async (db: Database, { programId, id }: Key) => {
  const row = await db
    .selectFrom('programResources')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? asResource(row) : null
}

/** Returns the resource before and after, or null if there is none. */
export const changeResource = async (tx: Tx, { programId, id, ...change }: Change) => {
  const before = await tx
    .selectFrom('programResources')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) return null
  if (before.kind === 'file' && change.body !== undefined)
    throw new Refusal('invalid_request', 'body must be left out, because this resource is a file.', { field: 'body' })
  const row = await tx
    .updateTable('programResources')
    .set((e) => ({ id: e.ref('id'), ...change }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return { before: asResource(before), after: asResource(row) }
}

export const removeResource = async (tx: Tx, { programId, id }: Key) => {
  const row = await tx
    .deleteFrom('programResources')
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ? asResource(row) : null
}

export const findResourceFile = async (db: Database, { programId, id }: Key) => {
  const row = await db
    .selectFrom('programResources')
    .select(['fileName', 'contentType', 'content'])
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.content && row.fileName && row.contentType
    ? { name: row.fileName, type: row.contentType, content: row.content }
    : null
}
