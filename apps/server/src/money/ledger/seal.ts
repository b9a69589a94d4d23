import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inLongTransaction, type Tx } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/transient-errors.ts'
import { GENESIS, hashOfBlock, hashOfLine, headOf, secondsOf, wordsOfLine } from './line-hashes.ts'

/** A block fits one statement, however much there is to seal. */
const MAX_LINES = 2_000
/** Somebody else sealed at the same moment; what they left over is ours to try again. */
const MAX_MEETINGS = 10

/** `onSealed` is called with the head (program:number:hash) after each block that was committed. */
type Sealing = { programId: number; at: Date; onSealed?: (head: string) => void }

/** Seals what is committed and not sealed yet, and says whether there was anything. Two at once share the work. */
export const sealProgram = async (db: Database, sealing: Sealing) => {
  let after = 0
  for (let meetings = 0; meetings < MAX_MEETINGS; ) {
    try {
      // An hour of millions of lines is looked through in some seconds. Given up, it would be longer the next time, and for good.
      const { lines, lastId, head } = await inLongTransaction(db, (tx) => sealBlock(tx, sealing, after))
      after = lastId
      if (head) sealing.onSealed?.(head)
      if (lines < MAX_LINES) break
    } catch (error) {
      // Both wanted the same number, or the same line: one has it, and the other looks for what is left.
      if (!isUniqueViolation(error)) throw error
      meetings++
    }
  }
  return after > 0
}

/** The next block, of lines after that one: a long queue is not looked through again for every block. */
const sealBlock = async (tx: Tx, { programId, at }: Sealing, after: number) => {
  const { rows: lines } = await sql<{ id: number; words: (string | null)[] }>`
    SELECT line.id, ${wordsOfLine} AS words FROM ledger_lines line
    WHERE program_id = ${programId} AND id > greatest(${after}, ${sealedLongAgo(programId)}) AND NOT EXISTS (
      SELECT FROM ledger_block_lines sealed WHERE sealed.program_id = line.program_id AND sealed.line_id = line.id)
    ORDER BY id LIMIT ${MAX_LINES}`.execute(tx)
  if (lines.length === 0) return { lines: 0, lastId: after, head: null }
  const last = await findLastBlock(tx, programId)
  const [number, previousHash] = [(last?.number ?? 0) + 1, last?.hash ?? GENESIS]
  const hashes: Buffer[] = []
  for (const { words } of lines) hashes.push(hashOfLine(hashes.at(-1) ?? previousHash, words))
  const header = { programId, number, lineCount: lines.length }
  const hash = hashOfBlock(hashes.at(-1) ?? previousHash, { ...header, sealedAtSeconds: secondsOf(at) })
  await tx
    .insertInto('ledgerBlocks')
    .values({ ...header, previousHash, hash, sealedAt: at })
    .execute()
  await sql`
    INSERT INTO ledger_block_lines (program_id, block_number, line_id, hash)
    SELECT ${programId}, ${number}, line.* FROM unnest(${lines.map(({ id }) => id)}::bigint[], ${hashes}::bytea[]) line`.execute(
    tx,
  )
  return { lines: lines.length, lastId: lines.at(-1)?.id ?? after, head: headOf({ programId, number, hash }) }
}

const findLastBlock = (db: Database | Tx, programId: number) =>
  db
    .selectFrom('ledgerBlocks')
    .select(['number', 'hash'])
    .where('programId', '=', programId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Null where nothing is sealed. */
export const lastBlockNumber = async (db: Database, programId: number) =>
  (await findLastBlock(db, programId))?.number ?? null

/** As hexadecimal digits; null where there is no such block. */
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
 * A line that was numbered before a block was made is sealed once another was made an hour later: no transaction of ours lives that
 * long, and the later block took what had come late. By the clock alone that is not so, for while the service stands still nobody
 * seals. Looking no further back keeps the minute's work as small as the minute; `ledger:verify` looks at everything.
 */
const sealedLongAgo = (programId: number) => sql`(
  SELECT coalesce(max(line_id), 0) FROM ledger_block_lines
  WHERE program_id = ${programId} AND block_number = (
    SELECT number FROM ledger_blocks WHERE program_id = ${programId} AND sealed_at < (
      SELECT sealed_at FROM ledger_blocks WHERE program_id = ${programId} ORDER BY number DESC LIMIT 1) - interval '1 hour'
    ORDER BY number DESC LIMIT 1))`

/** Every program, a block for each that has something to seal. */
export const sealAll = async (db: Database, at: Date, onSealed?: Sealing['onSealed']) => {
  const programs = await db.selectFrom('partnerAccounts').select('programId').distinct().execute()
  let sealed = 0
  for (const { programId } of programs) if (await sealProgram(db, { programId, at, onSealed })) sealed++
  return sealed
}
