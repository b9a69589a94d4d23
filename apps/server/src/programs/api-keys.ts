import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { API_KEY_PREFIX, type ApiKeysQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { pageOf } from '../database/sql/pages.ts'
import { directionOf, sortField } from '../database/sql/sorting.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'

const KEY = new RegExp(`^${API_KEY_PREFIX}_([A-Za-z0-9]{12,20})_([A-Za-z0-9]{32})$`)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const COLUMNS = ['id', 'name', 'createdAt', 'lastUsedAt', 'revokedAt'] as const
const LAST_USED_PRECISION = sql.lit('1 minute')

/** Letters and digits only, so that a double click selects the whole key. 32 characters are 190 bits. */
const randomText = (length: number) => {
  let text = ''
  // Bytes of 248 and above would bias the result toward the first letters.
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
  return text
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/** The public part starts with the cell, so that a proxy could route by it: the last 12 characters are random. */
export const createApiKey = async (
  db: Database | Tx,
  { programId, name, createdAt, cell = '' }: { programId: number; name: string; createdAt: Date; cell?: string },
) => {
  const id = cell + randomText(12)
  const secret = randomText(32)
  const row = await db
    .insertInto('apiKeys')
    .values({ id, programId, name, secretHash: hashOf(secret), createdAt })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return { ...row, key: `${API_KEY_PREFIX}_${id}_${secret}` }
}

type ApiKeysFilter = { programId: number; at: Date } & ApiKeysQuery

/** A rotated key stays active until its grace period ends. */
export const listApiKeys = (db: Database, { programId, at, state, sort, ...page }: ApiKeysFilter) =>
  pageOf(
    db
      .selectFrom('apiKeys')
      .select(COLUMNS)
      .where('programId', '=', programId)
      .$if(state === 'revoked', (query) => query.where('revokedAt', '<=', at))
      .$if(state === 'active', (query) =>
        query.where((e) => e.or([e('revokedAt', 'is', null), e('revokedAt', '>', at)])),
      )
      .orderBy(sortField(sort), (order) =>
        directionOf(sort) === 'asc' ? order.asc().nullsFirst() : order.desc().nullsLast(),
      )
      .orderBy('id', directionOf(sort)),
    page,
  )

export const findApiKey = (db: Database, { programId, id }: { programId: number; id: string }) =>
  db.selectFrom('apiKeys').select('id').where('programId', '=', programId).where('id', '=', id).executeTakeFirst()

/** The program of a key, active or not. */
export const findProgramOfKey = async (db: Database | Tx, id: string) =>
  (await db.selectFrom('apiKeys').select('programId').where('id', '=', id).executeTakeFirst())?.programId ?? null

/** NOTIFY channel for revoked keys; the message is the public part of the key. */
export const KEY_REVOKED = 'tributary_key_revoked'

/** Revoking twice keeps the first time; a key in its grace period ends immediately. */
export const revokeApiKey = async (tx: Tx, { programId, id, at }: { programId: number; id: string; at: Date }) => {
  const before = await tx
    .selectFrom('apiKeys')
    .select('revokedAt')
    .where('programId', '=', programId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return null
  const after = await tx
    .updateTable('apiKeys')
    .set({ revokedAt: sql<Date>`least(revoked_at, ${at}::timestamptz)` })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  await notifyRevocation(tx, id)
  return { before: before.revokedAt, after }
}

const notifyRevocation = (tx: Tx, id: string) => sql`SELECT pg_notify(${KEY_REVOKED}, ${id})`.execute(tx)

/** The public part of an API key, or null if it is not one. */
export const apiKeyId = (key: string) => KEY.exec(key)?.[1] ?? null

/** Creates a new key immediately; the old one works until its grace period ends. */
export const rotateApiKey = async (
  tx: Tx,
  { programId, id, at, revokedAt, cell }: { programId: number; id: string; at: Date; revokedAt: Date; cell: string },
) => {
  const found = await tx
    .selectFrom('apiKeys')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) return null
  if (found.revokedAt)
    throw new Refusal('conflict', 'This key has already been revoked or replaced. Create a new one instead.')
  await tx.updateTable('apiKeys').set({ revokedAt }).where('id', '=', id).execute()
  await notifyRevocation(tx, id)
  const created = await createApiKey(tx, { programId, name: found.name, createdAt: at, cell })
  return { ...created, previous: { ...found, revokedAt } }
}

/** The program of an active key. */
export const findProgramByApiKey = async (db: Database, key: string, at: Date): Promise<number | null> => {
  const [, id, secret] = KEY.exec(key) ?? []
  if (!id || !secret) return null
  const row = await db
    .selectFrom('apiKeys')
    .select(['programId', 'secretHash'])
    .where('id', '=', id)
    .where((e) => e.or([e('revokedAt', 'is', null), e('revokedAt', '>', at)]))
    .executeTakeFirst()
  return row && timingSafeEqual(row.secretHash, hashOf(secret)) ? row.programId : null
}

/** Accurate to the minute, so that a busy key does not become a hot row. */
export const touchApiKey = (db: Database | Tx, { key, at }: { key: string; at: Date }) =>
  db
    .updateTable('apiKeys')
    .set({ lastUsedAt: at })
    .where('id', '=', apiKeyId(key) ?? '')
    .where((expression) =>
      expression.or([
        expression('lastUsedAt', 'is', null),
        expression('lastUsedAt', '<', sql<Date>`${at}::timestamptz - interval ${LAST_USED_PRECISION}`),
      ]),
    )
    .execute()
