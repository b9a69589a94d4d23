import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inLongTransaction, type Tx } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/transient-errors.ts'
import { formatEpochSeconds, formatHead, GENESIS, hashBlock, hashLine, lineFields } from './line-hashes.ts'

/** Keeps a block small enough for one statement. */
const MAX_LINES = 2_000
/** Retries after conflicts with another process that seals concurrently. */
const MAX_CONFLICTS = 10

/** `onSealed` receives the head (program:number:hash) of each committed block. */
type SealInput = { programId: number; at: Date; onSealed?: (head: string) => void }

/** Seals all committed, unsealed lines and returns whether there were any. Safe to run concurrently. */
export const sealProgram = async (db: Database, input: SealInput) => {
  let after = 0
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; ) {
    try {
      // Scanning an hour of millions of lines takes a few seconds. With the short timeout, it would fail on every later run too.
      const { lines, lastId, head } = await inLongTransaction(db, (tx) => sealBlock(tx, input, after))
      after = lastId
      if (head) input.onSealed?.(head)
      if (lines < MAX_LINES) break
    } catch (error) {
      // Another process took the same block number or line; seal the rest.
      if (!isUniqueViolation(error)) throw error
      conflicts++
    }
  }
  return after > 0
}

/** Starts after the last line of the previous block, so that a long backlog is scanned only once. */
const sealBlock = async (tx: Tx, { programId, at }: SealInput, after: number) => {
  const { rows: lines } = await sql<{ id: number; fields: (string | null)[] }>`
    SELECT line.id, ${lineFields} AS fields FROM ledger_lines line
    WHERE program_id = ${programId} AND id > greatest(${after}, ${sealedUpTo(programId)}) AND NOT EXISTS (
      SELECT FROM ledger_block_lines sealed WHERE sealed.program_id = line.program_id AND sealed.line_id = line.id)
    ORDER BY id LIMIT ${sql.lit(MAX_LINES)}`.execute(tx)
  if (lines.length === 0) return { lines: 0, lastId: after, head: null }
  const last = await findLastBlock(tx, programId)
  const [number, previousHash] = [(last?.number ?? 0) + 1, last?.hash ?? GENESIS]
  const hashes: Buffer[] = []
  for (const { fields } of lines) hashes.push(hashLine(hashes.at(-1) ?? previousHash, fields))
  const header = { programId, number, lineCount: lines.length }
  const hash = hashBlock(hashes.at(-1) ?? previousHash, { ...header, sealedAtSeconds: formatEpochSeconds(at) })
  await tx
    .insertInto('ledgerBlocks')
    .values({ ...header, previousHash, hash, sealedAt: at })
    .execute()
  await sql`
    INSERT INTO ledger_block_lines (program_id, block_number, line_id, hash)
    SELECT ${programId}, ${number}, line.* FROM unnest(${lines.map(({ id }) => id)}::bigint[], ${hashes}::bytea[]) line`.execute(
    tx,
  )
  return { lines: lines.length, lastId: lines.at(-1)?.id ?? after, head: formatHead({ programId, number, hash }) }
}

const findLastBlock = (db: Database | Tx, programId: number) =>
  db
    .selectFrom('ledgerBlocks')
    .select(['number', 'hash'])
    .where('programId', '=', programId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Null if nothing is sealed yet. */
export const lastBlockNumber = async (db: Database, programId: number) =>
  (await findLastBlock(db, programId))?.number ?? null

/** Hex-encoded; null if the block does not exist. */
export const findBlockHash = async (db: Database, { programId, number }: { programId: number; number: number }) => {
  const block = await db
    .selectFrom('ledgerBlocks')
    .select('hash')
    .where('programId', '=', programId)
    .where('number', '=', number)
    .executeTakeFirst()
  return block ? Buffer.from(block.hash).toString('hex') : null
}

/**
 * The last line of the newest block that is at least an hour older than the latest block. No transaction lasts an hour, so every line
 * up to there is sealed. Comparing with the wall clock would be wrong, because nothing is sealed while the service is down. This keeps
 * each run short; `ledger:verify` checks all lines.
 */
const sealedUpTo = (programId: number) => sql`(
  SELECT coalesce(max(line_id), 0) FROM ledger_block_lines
  WHERE program_id = ${programId} AND block_number = (
    SELECT number FROM ledger_blocks WHERE program_id = ${programId} AND sealed_at < (
      SELECT sealed_at FROM ledger_blocks WHERE program_id = ${programId} ORDER BY number DESC LIMIT 1) - interval '1 hour'
    ORDER BY number DESC LIMIT 1))`

/** Seals all programs and returns how many had new lines. */
export const sealAll = async (db: Database, at: Date, onSealed?: SealInput['onSealed']) => {
  const programs = await db.selectFrom('partnerAccounts').select('programId').distinct().execute()
  let sealed = 0
  for (const { programId } of programs) if (await sealProgram(db, { programId, at, onSealed })) sealed++
  return sealed
}
