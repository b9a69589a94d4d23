import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { isUniqueViolation } from '../database/bad-weather.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction } from '../database/transaction.ts'

export type SealedLine = {
  id: number
  partnerId: number
  currency: string
  fromAccount: string
  toAccount: string
  amountCents: number
  availableAt: Date
  cause: string
  commissionId: number | null
  refundId: number | null
  payoutLineId: number | null
  createdAt: Date
}

const GENESIS = Buffer.alloc(32)

/** The hash of a block: of the one before it, and of every word of its lines in their order. */
export const hashOfBlock = (previousHash: Uint8Array, lines: SealedLine[]) => {
  const hash = createHash('sha256').update(previousHash)
  for (const line of lines.toSorted((a, b) => a.id - b.id)) hash.update(`${JSON.stringify(wordsOf(line))}\n`)
  return hash.digest()
}

const wordsOf = (line: SealedLine) => [
  line.id,
  line.partnerId,
  line.currency,
  line.fromAccount,
  line.toAccount,
  line.amountCents,
  line.availableAt.toISOString(),
  line.cause,
  line.commissionId,
  line.refundId,
  line.payoutLineId,
  line.createdAt.toISOString(),
]

/** Seals what is committed and not sealed yet. Two at once want the same number, and one of them finds nothing left to do. */
export const sealProgram = async (db: Database, { programId, at }: { programId: number; at: Date }) => {
  try {
    return await inTransaction(db, async (tx) => {
      const { rows: lines } = await sql<SealedLine>`
        SELECT * FROM ledger_lines line WHERE program_id = ${programId} AND NOT EXISTS (
          SELECT FROM ledger_block_lines sealed WHERE sealed.program_id = line.program_id AND sealed.line_id = line.id)
        ORDER BY id`.execute(tx)
      if (lines.length === 0) return false
      const last = await tx
        .selectFrom('ledgerBlocks')
        .select(['number', 'hash'])
        .where('programId', '=', programId)
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst()
      const [number, previousHash] = [(last?.number ?? 0) + 1, last?.hash ?? GENESIS]
      const block = {
        programId,
        number,
        previousHash,
        hash: hashOfBlock(previousHash, lines),
        lineCount: lines.length,
        sealedAt: at,
      }
      await tx.insertInto('ledgerBlocks').values(block).execute()
      await sql`INSERT INTO ledger_block_lines (program_id, line_id, block_number)
        SELECT ${programId}, unnest(${lines.map(({ id }) => id)}::bigint[]), ${number}`.execute(tx)
      return true
    })
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** Every program that has something to seal. */
export const sealAll = async (db: Database, at: Date) => {
  const { rows } = await sql<{ programId: number }>`
    SELECT DISTINCT program_id FROM ledger_lines line WHERE NOT EXISTS (
      SELECT FROM ledger_block_lines sealed WHERE sealed.program_id = line.program_id AND sealed.line_id = line.id)`.execute(
    db,
  )
  for (const { programId } of rows) await sealProgram(db, { programId, at })
  return rows.length
}
