import { createHmac } from 'node:crypto'
import { IDEMPOTENCY_HEADER } from '@tributary/contract'
import { type Selectable, sql } from 'kysely'
import { columnsOf } from '../database/columns.ts'
import type { Database } from '../database/connect.ts'
import { gathered } from '../database/side-by-side.ts'
import type { IdempotencyKeys, Json } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'

/** A call that was sent with an Idempotency-Key. */
export type IdempotentCall = { programId: number; keyHash: Buffer; requestHash: Buffer; at: Date }

/** What an operation answers, from now or from the first time it was sent with this key. */
export type Replayable<Result> = Result & { isReplayed?: true }

type Sent = { programId: number; key: string; request: string; at: Date }

/** Key and request are kept as keyed hashes, because both can name a person. */
export const idempotentCall = (hashKey: string, { programId, key, request, at }: Sent): IdempotentCall => {
  const hashOf = (kind: string, text: string) =>
    createHmac('sha256', hashKey).update(`idempotency ${kind} ${programId} ${text}`).digest()
  return { programId, keyHash: hashOf('key', key), requestHash: hashOf('request', request), at }
}

/** Calls with the same key run one after the other. */
export const nameOfCall = ({ programId, keyHash }: IdempotentCall) => `key ${programId} ${keyHash.toString('hex')}`

/**
 * Runs an operation once for its key. The key is claimed before anything else and the answer is stored in the transaction of
 * the effect, so a call that fails leaves the key free, and of two at the same time the second waits and replays.
 */
export const runOnce = async <Result extends object>(
  tx: Tx,
  call: IdempotentCall | null,
  run: () => Promise<Result>,
): Promise<Replayable<Result>> => {
  if (!call) return run()
  const stored = replayOf<Result>(call, await claim(tx, call))
  if (stored) return stored
  const result = await run()
  await tx
    .updateTable('idempotencyKeys')
    .set({ answer: JSON.stringify(result) })
    .where('programId', '=', call.programId)
    .where('keyHash', '=', call.keyHash)
    .execute()
  return result
}

/** The stored answer, without a lock. */
export const findStored = async <Result extends object>(
  db: Database,
  call: IdempotentCall | null,
): Promise<Replayable<Result> | null> => {
  if (!call) return null
  const row = await db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'answer'])
    .where('programId', '=', call.programId)
    .where('keyHash', '=', call.keyHash)
    .executeTakeFirst()
  return row ? replayOf<Result>(call, row) : null
}

type Row = { requestHash: Uint8Array; answer: Json }

const replayOf = <Result extends object>(call: IdempotentCall, { requestHash, answer }: Row) => {
  if (answer === null) return null
  if (!call.requestHash.equals(requestHash))
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another call. Use a new key for each call, and the same key only to retry it.',
      { field: IDEMPOTENCY_HEADER },
    )
  return { ...(answer as unknown as Result), isReplayed: true as const }
}

/** Inserts the key, or waits for whoever holds it and reads what they stored. In one order, for several can be claimed at once. */
const claim = gathered(async (tx, calls: IdempotentCall[]): Promise<Row[]> => {
  const sorted = calls.toSorted((a, b) => a.programId - b.programId || a.keyHash.compare(b.keyHash))
  const column = columnsOf(sorted)
  const { rows } = await sql<Pick<Selectable<IdempotencyKeys>, 'programId' | 'keyHash' | 'requestHash' | 'answer'>>`
    INSERT INTO idempotency_keys (program_id, key_hash, request_hash, created_at)
    SELECT * FROM unnest(${column('programId', 'integer')}, ${column('keyHash', 'bytea')}, ${column('requestHash', 'bytea')},
      ${column('at', 'timestamptz')})
    ON CONFLICT (program_id, key_hash) DO UPDATE SET key_hash = excluded.key_hash
    RETURNING program_id, key_hash, request_hash, answer`.execute(tx)
  return calls.map((call) => {
    const row = rows.find(({ programId, keyHash }) => programId === call.programId && call.keyHash.equals(keyHash))
    if (!row) throw new Error('a key that was claimed has a row')
    return row
  })
})

const KEPT_MS = 30 * 86_400_000
const AT_ONCE = 10_000

/** Forgets keys after 30 days. */
export const purgeIdempotencyKeys = async (db: Database, at: Date) => {
  for (let purged = AT_ONCE; purged === AT_ONCE; ) {
    const { numAffectedRows } = await sql`
      DELETE FROM idempotency_keys WHERE (program_id, key_hash) IN (
        SELECT program_id, key_hash FROM idempotency_keys WHERE created_at < ${new Date(at.getTime() - KEPT_MS)}
        LIMIT ${AT_ONCE})`.execute(db)
    purged = Number(numAffectedRows ?? 0)
  }
}
