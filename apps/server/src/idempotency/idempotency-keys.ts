import { createHmac } from 'node:crypto'
import { IDEMPOTENCY_HEADER } from '@tributary/contract'
import { type Selectable, sql } from 'kysely'
import { isResult, type Outcome } from '../database/batches.ts'
import type { Database } from '../database/connect.ts'
import { columnsOf } from '../database/sql/columns.ts'
import { forSome } from '../database/sql/many.ts'
import type { IdempotencyKeys, Json } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'

/** A call that was sent with an Idempotency-Key. */
export type IdempotentCall = { programId: number; keyHash: Buffer; requestHash: Buffer; at: Date }

/** An operation's result; `isReplayed` if it is stored from an earlier call with this key. */
export type Replayable<Result> = Result & { isReplayed?: true }

type KeyedRequest = { programId: number; key: string; request: string; at: Date }

const ADJUSTMENT = 'adjustment '

/** Members' keys for adjustments, and the `Idempotency-Key` of calls with an API key, never name the same call. */
export const keyOfAdjustment = (key: string) => ADJUSTMENT + key
export const keyOfCall = (key: string) => (key.startsWith(ADJUSTMENT) ? `\n${key}` : key)

/** Key and request are stored as keyed hashes, because both can identify a person. */
export const idempotentCall = (hashKey: string, { programId, key, request, at }: KeyedRequest): IdempotentCall => {
  const hashOf = (kind: string, text: string) =>
    createHmac('sha256', hashKey).update(`idempotency ${kind} ${programId} ${text}`).digest()
  return { programId, keyHash: hashOf('key', key), requestHash: hashOf('request', request), at }
}

/** Calls with the same key are serialized. */
export const nameOfCall = ({ programId, keyHash }: IdempotentCall) => `key ${programId} ${keyHash.toString('hex')}`

/**
 * Runs each call once per key. Keys are claimed first, and results are stored in the same transaction as the effects: a failed
 * call leaves its key free, and the second of two concurrent calls waits and replays.
 */
export const runEachOnce = async <Result extends object>(
  tx: Tx,
  once: (IdempotentCall | null)[],
  run: (indexes: number[]) => Promise<Outcome<Result>[]>,
): Promise<Outcome<Replayable<Result>>[]> => {
  const claimed = await forSome(
    once,
    (call) => call !== null,
    (some) => claimKeys(tx, some as IdempotentCall[]),
  )
  const outcomes = once.map((call, index): Outcome<Replayable<Result>> | null => {
    const row = claimed[index]
    return call && row ? replayOf<Result>(call, row) : null
  })
  const indexes = outcomes.flatMap((replay, index) => (replay === null ? [index] : []))
  const answered: { call: IdempotentCall; answer: object }[] = []
  for (const [outcomeIndex, outcome] of (indexes.length > 0 ? await run(indexes) : []).entries()) {
    const index = indexes[outcomeIndex] ?? 0
    const call = once[index]
    outcomes[index] = outcome
    if (call && isResult(outcome)) answered.push({ call, answer: outcome })
  }
  await storeAnswers(tx, answered)
  return outcomes as Outcome<Replayable<Result>>[]
}

/** For a single call. */
export const runOnce = async <Result extends object>(
  tx: Tx,
  once: IdempotentCall | null,
  run: () => Promise<Result>,
): Promise<Replayable<Result>> => {
  const [outcome] = await runEachOnce(tx, [once], async () => [await run()])
  if (outcome instanceof Refusal) throw outcome
  return outcome as Replayable<Result>
}

const storeAnswers = async (tx: Tx, answered: { call: IdempotentCall; answer: object }[]) => {
  if (answered.length === 0) return
  const column = columnsOf(answered.map(({ call, answer }) => ({ ...call, answer: JSON.stringify(answer) })))
  await sql`
    UPDATE idempotency_keys SET answer = given.answer
    FROM unnest(${column('programId', 'integer')}, ${column('keyHash', 'bytea')}, ${column('answer', 'jsonb')})
      AS given(program_id, key_hash, answer)
    WHERE idempotency_keys.program_id = given.program_id AND idempotency_keys.key_hash = given.key_hash`.execute(tx)
}

/** Reads the stored result without locking. */
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
  const replay = row ? replayOf<Result>(call, row) : null
  if (replay instanceof Refusal) throw replay
  return replay
}

type Row = { requestHash: Uint8Array; answer: Json }

const replayOf = <Result extends object>(
  call: IdempotentCall,
  { requestHash, answer }: Row,
): Replayable<Result> | Refusal | null => {
  if (answer === null) return null
  if (!call.requestHash.equals(requestHash))
    return new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was already used for a different request. Use a new key for each request, and reuse a key only to retry.',
      { field: IDEMPOTENCY_HEADER },
    )
  return { ...(answer as unknown as Result), isReplayed: true as const }
}

/** Inserts keys, or waits for a concurrent call and reads its result. Sorted, because several can be claimed concurrently. */
const claimKeys = async (tx: Tx, calls: IdempotentCall[]): Promise<Row[]> => {
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
    if (!row) throw new Error('a claimed key must have a row')
    return row
  })
}

const RETENTION_MS = 30 * 86_400_000
const BATCH_SIZE = 10_000

/** Deletes keys after 30 days. */
export const purgeIdempotencyKeys = async (db: Database, at: Date) => {
  for (let purged = BATCH_SIZE; purged === BATCH_SIZE; ) {
    const { numAffectedRows } = await sql`
      DELETE FROM idempotency_keys WHERE (program_id, key_hash) IN (
        SELECT program_id, key_hash FROM idempotency_keys WHERE created_at < ${new Date(at.getTime() - RETENTION_MS)}
        LIMIT ${sql.lit(BATCH_SIZE)})`.execute(db)
    purged = Number(numAffectedRows ?? 0)
  }
}
