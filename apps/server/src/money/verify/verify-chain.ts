import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { formatHead, GENESIS, hashBlock, hashLine, lineFields } from '../ledger/line-hashes.ts'

const BLOCKS_PER_READ = 500
const LINES_PER_READ = 20_000

type Block = {
  number: number
  previousHash: Buffer
  hash: Buffer
  lineCount: number
  sealedAtSeconds: string
}
type Line = { blockNumber: number; lineId: string; hash: Buffer; exists: boolean; fields: (string | null)[] }

export type Chain = { blocks: number; head: string | null; broken: string | null }

/**
 * Recomputes the hash of every sealed block in order and stops at the first mismatch: each hash covers everything before it, so later
 * ones prove nothing.
 */
export const verifyChain = async (
  tx: Tx,
  { programId, sealedBefore }: { programId: number; sealedBefore: Date | null },
): Promise<Chain> => {
  let blocks = 0
  let last = { number: 0, hash: GENESIS }
  const head = () => (blocks > 0 ? formatHead({ programId, ...last }) : null)
  for (;;) {
    const next = await readBlocks(tx, { programId, after: last.number })
    for (const chunk of inChunks(next)) {
      const lines = await readLines(tx, { programId, chunk })
      for (const block of chunk) {
        const broken = findBreak(programId, last, block, lines.get(block.number) ?? [])
        if (broken) return { blocks, head: head(), broken }
        blocks++
        last = block
      }
    }
    if (next.length < BLOCKS_PER_READ) break
  }
  const broken = await checkChainEnd(tx, { programId, number: last.number, sealedBefore })
  return { blocks, head: head(), broken }
}

/** Describes the first error in a block, or returns null. */
const findBreak = (programId: number, last: { number: number; hash: Uint8Array }, block: Block, lines: Line[]) => {
  const { number, lineCount } = block
  if (number !== last.number + 1) return `block ${last.number + 1} is missing`
  if (!block.previousHash.equals(last.hash))
    return `block ${number} does not follow from block ${last.number}: one of the two was rewritten`
  let hash: Uint8Array = block.previousHash
  let before = 'at its beginning'
  for (const line of lines) {
    if (!line.exists) return `ledger line ${line.lineId} of block ${number} was deleted`
    hash = hashLine(hash, line.fields)
    if (!line.hash.equals(hash)) return describeMismatch(block, lines.length, line, before)
    before = `after line ${line.lineId}`
  }
  if (lines.length < lineCount) return `a ledger line of block ${number} was deleted, ${before}`
  if (lines.length > lineCount)
    return `ledger line ${lines.at(-1)?.lineId} was added to block ${number} after it was sealed`
  return block.hash.equals(hashBlock(hash, { ...block, programId }))
    ? null
    : `block ${number} was changed after it was sealed`
}

const describeMismatch = ({ number, lineCount }: Block, found: number, { lineId }: Line, before: string) => {
  if (found < lineCount) return `a ledger line of block ${number} was deleted, ${before} and before line ${lineId}`
  if (found > lineCount) return `ledger line ${lineId} was added to block ${number} after it was sealed, or follows one`
  return `ledger line ${lineId} of block ${number} was changed after it was sealed`
}

type ChainEnd = { programId: number; number: number; sealedBefore: Date | null }

/** Detects a deleted last block by the line hashes it leaves behind, or by old lines that are not sealed. */
const checkChainEnd = async (tx: Tx, { programId, number, sealedBefore }: ChainEnd) => {
  const orphan = await tx
    .selectFrom('ledgerBlockLines')
    .select('blockNumber')
    .where('programId', '=', programId)
    .where('blockNumber', '>', number)
    .orderBy('blockNumber')
    .limit(1)
    .executeTakeFirst()
  if (orphan) return `block ${orphan.blockNumber} is missing`
  if (!sealedBefore) return null
  const { rows } = await sql<{ id: string; createdAt: string }>`
    SELECT id::text, created_at::text AS created_at FROM ledger_lines line
    WHERE program_id = ${programId} AND created_at < ${sealedBefore} AND NOT EXISTS (
      SELECT FROM ledger_block_lines sealed WHERE sealed.program_id = line.program_id AND sealed.line_id = line.id)
    ORDER BY line.id LIMIT 1`.execute(tx)
  return rows[0]
    ? `ledger line ${rows[0].id}, created ${rows[0].createdAt}, is in no block: block ${number + 1} was deleted, or the line was added`
    : null
}

const readBlocks = async (tx: Tx, { programId, after }: { programId: number; after: number }) => {
  const { rows } = await sql<Block>`
    SELECT number, previous_hash, hash, line_count, extract(epoch FROM sealed_at)::text AS sealed_at_seconds
    FROM ledger_blocks WHERE program_id = ${programId} AND number > ${after}
    ORDER BY number LIMIT ${sql.lit(BLOCKS_PER_READ)}`.execute(tx)
  return rows
}

/** Groups consecutive blocks so that the lines of each group fit in memory. */
const inChunks = (blocks: Block[]) => {
  const chunks: Block[][] = []
  let lines = LINES_PER_READ
  for (const block of blocks) {
    if (lines + block.lineCount > LINES_PER_READ) {
      chunks.push([])
      lines = 0
    }
    chunks.at(-1)?.push(block)
    lines += block.lineCount
  }
  return chunks
}

const readLines = async (tx: Tx, { programId, chunk }: { programId: number; chunk: Block[] }) => {
  const { rows } = await sql<Line>`
    SELECT sealed.block_number, sealed.line_id::text AS line_id, sealed.hash, line.id IS NOT NULL AS exists, ${lineFields} AS fields
    FROM ledger_block_lines sealed
    LEFT JOIN ledger_lines line ON line.program_id = sealed.program_id AND line.id = sealed.line_id
    WHERE sealed.program_id = ${programId} AND block_number BETWEEN ${chunk[0]?.number ?? 0} AND ${chunk.at(-1)?.number ?? 0}
    ORDER BY sealed.block_number, sealed.line_id`.execute(tx)
  return Map.groupBy(rows, ({ blockNumber }) => blockNumber)
}
