import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { API_KEY_PREFIX } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { type Page, pageOf } from '../database/pages.ts'
import { inTransaction } from '../database/transaction.ts'

const KEY = new RegExp(`^${API_KEY_PREFIX}_([A-Za-z0-9]{12})_([A-Za-z0-9]{32})$`)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const COLUMNS = ['id', 'name', 'createdAt', 'lastUsedAt', 'revokedAt'] as const
const LAST_USED_PRECISION = sql.lit('1 minute')

/** Letters and digits only, so that a double click selects the whole key. 32 of them are 190 bits. */
const randomText = (length: number) => {
  let text = ''
  // Bytes of 248 and above would make the first letters of the alphabet likelier than the others.
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
  return text
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

export const createApiKey = async (
  db: Database,
  { programId, name, createdAt }: { programId: number; name: string; createdAt: Date },
) => {
  const id = randomText(12)
  const secret = randomText(32)
  const row = await db
    .insertInto('apiKeys')
    .values({ id, programId, name, secretHash: hashOf(secret), createdAt })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return { ...row, key: `${API_KEY_PREFIX}_${id}_${secret}` }
}

export const listApiKeys = (db: Database, { programId, ...page }: { programId: number } & Page) =>
  pageOf(
    db.selectFrom('apiKeys').select(COLUMNS).where('programId', '=', programId).orderBy('createdAt').orderBy('id'),
    page,
  )

/** Told to every process as the revocation commits, with the public part of the key. */
export const KEY_REVOKED = 'tributary_key_revoked'

/** Revoking twice keeps the first time. */
export const revokeApiKey = (db: Database, { programId, id, at }: { programId: number; id: string; at: Date }) =>
  inTransaction(db, async (tx) => {
    const revoked = await tx
      .updateTable('apiKeys')
      .set((expression) => ({ revokedAt: expression.fn.coalesce('revokedAt', expression.val(at)) }))
      .where('programId', '=', programId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirst()
    if (revoked) await sql`SELECT pg_notify(${KEY_REVOKED}, ${id})`.execute(tx)
    return revoked
  })

/** The public part of what looks like a key. */
export const idOfApiKey = (key: string) => KEY.exec(key)?.[1] ?? null

/** The program whose live key this is. */
export const programOfApiKey = async (db: Database, key: string): Promise<number | null> => {
  const [, id, secret] = KEY.exec(key) ?? []
  if (!id || !secret) return null
  const row = await db
    .selectFrom('apiKeys')
    .select(['programId', 'secretHash'])
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return row && timingSafeEqual(row.secretHash, hashOf(secret)) ? row.programId : null
}

/** Good to the minute, so that a busy key is not a busy row. */
export const touchApiKey = (db: Database, { key, at }: { key: string; at: Date }) =>
  db
    .updateTable('apiKeys')
    .set({ lastUsedAt: at })
    .where('id', '=', idOfApiKey(key) ?? '')
    .where((expression) =>
      expression.or([
        expression('lastUsedAt', 'is', null),
        expression('lastUsedAt', '<', sql<Date>`${at}::timestamptz - interval ${LAST_USED_PRECISION}`),
      ]),
    )
    .execute()
