import { createHmac } from 'node:crypto'
import { IDEMPOTENCY_HEADER } from '@tributary/contract'
import { sql } from 'kysely'
import { EXCLUDED, type Outcome } from '../database/batches.ts'
import type { Database } from '../database/connect.ts'
import { columnsOf } from '../database/sql/columns.ts'
import type { Json } from '../database/tables.ts'
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
export const nameOfCall = ({ programId, keyHash }: Pick<IdempotentCall, 'programId' | 'keyHash'>) =>
  `key ${programId} ${keyHash.toString('hex')}`

type KeyedRow<Result> = { once: IdempotentCall | null; claimed?: StoredKey; outcome?: Outcome<Replayable<Result>> }

/** How a result is stored, and restored for a repeated call. By default as it is. */
type Storage<Keyed, Result> = {
  toStored: (result: Result) => object
  restore: (stored: Replayable<object>, row: Keyed) => Replayable<Result>
}

/**
 * Runs each call once per key. Keys are claimed first, and results are stored in the same transaction as the effects: a failed
 * call leaves its key free, and the second of two concurrent calls waits and replays.
 */
export const runEachOnce = async <Result extends object, Keyed extends KeyedRow<Result>>(
  tx: Tx,
  rows: Keyed[],
  run: (rows: Keyed[]) => Promise<void>,
  { toStored, restore }: Storage<Keyed, Result> = {
    toStored: (result) => result,
    restore: (stored) => stored as Result,
  },
) => {
  const keyed = rows.filter((row): row is Keyed & { once: IdempotentCall } => row.once !== null)
  await claimKeys(tx, keyed)
  for (const row of keyed) {
    const stored = row.claimed && readAnswer(row.once, row.claimed)
    if (stored instanceof Refusal) row.outcome = { refusal: stored, isClean: true }
    else if (stored) row.outcome = { result: restore(stored, row) }
  }
  const open = rows.filter(({ outcome }) => outcome === undefined)
  if (open.length > 0) await run(open)
  const answered: Answered[] = []
  for (const { once, outcome } of open) {
    if (!once || !outcome) continue
    if ('result' in outcome) answered.push({ ...once, answer: JSON.stringify(toStored(outcome.result)) })
    // The key was claimed for the call.
    else if ('refusal' in outcome) outcome.isClean = false
  }
  await storeAnswers(tx, answered)
}

/** For a single call. */
export const runOnce = async <Result extends object>(
  tx: Tx,
  once: IdempotentCall | null,
  run: () => Promise<Result>,
): Promise<Replayable<Result>> => {
  const row: KeyedRow<Result> = { once }
  await runEachOnce<Result, typeof row>(tx, [row], async () => {
    row.outcome = { result: await run() }
  })
  const outcome = row.outcome ?? EXCLUDED
  if ('refusal' in outcome) throw outcome.refusal
  if ('isExcluded' in outcome) throw new Error('a single call must get a result')
  return outcome.result
}

type Answered = IdempotentCall & { answer: string }

const storeAnswers = async (tx: Tx, answered: Answered[]) => {
  if (answered.length === 0) return
  const column = columnsOf(answered)
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
  const replay = row ? readAnswer<Result>(call, row) : null
  if (replay instanceof Refusal) throw replay
  return replay
}

type StoredKey = { requestHash: Uint8Array; answer: Json }

/** Null if no call with this key has been answered. */
const readAnswer = <Result extends object>(
  call: IdempotentCall,
  { requestHash, answer }: StoredKey,
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

type Claim = { once: IdempotentCall; claimed?: StoredKey }

/** Inserts keys, or waits for a concurrent call, and reads their rows. Sorted, because several can be claimed concurrently. */
const claimKeys = async (tx: Tx, claims: Claim[]) => {
  if (claims.length === 0) return
  const byName = new Map(claims.map((claim) => [nameOfCall(claim.once), claim]))
  const sorted = claims
    .map(({ once }) => once)
    .toSorted((a, b) => a.programId - b.programId || a.keyHash.compare(b.keyHash))
  const column = columnsOf(sorted)
  const { rows } = await sql<StoredKey & { programId: number; keyHash: Buffer }>`
    INSERT INTO idempotency_keys (program_id, key_hash, request_hash, created_at)
    SELECT * FROM unnest(${column('programId', 'integer')}, ${column('keyHash', 'bytea')}, ${column('requestHash', 'bytea')},
      ${column('at', 'timestamptz')})
    ON CONFLICT (program_id, key_hash) DO UPDATE SET key_hash = excluded.key_hash
    RETURNING program_id, key_hash, request_hash, answer`.execute(tx)
  for (const row of rows) {
    const claim = byName.get(nameOfCall(row))
    if (claim) claim.claimed = row
  }
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
