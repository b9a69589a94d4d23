import { createHash } from 'node:crypto'
import { sql } from 'kysely'

/** Previous hash of a program's first block. */
export const GENESIS: Uint8Array = Buffer.alloc(32)

/**
 * Every column of a ledger line, as text from Postgres: a JavaScript Date would drop microseconds, which could then be changed
 * unnoticed. Epoch seconds do not depend on server settings.
 */
export const lineFields = sql<(string | null)[]>`ARRAY[
  line.program_id::text, line.id::text, line.partner_id::text, line.currency, line.from_account, line.to_account,
  line.amount_cents::text, extract(epoch FROM line.available_at)::text, line.cause, line.commission_id::text,
  line.refund_id::text, line.payout_line_id::text, extract(epoch FROM line.created_at)::text]`

/** Covers all earlier lines and blocks, so the first hash that differs identifies the changed line. */
export const hashLine = (previousHash: Uint8Array, fields: (string | null)[]): Buffer =>
  createHash('sha256').update(previousHash).update(JSON.stringify(fields)).digest()

type Header = { programId: number; number: number; lineCount: number; sealedAtSeconds: string }

/** Covers the last line's hash, and so everything before it, plus the block's own header. */
export const hashBlock = (lastLineHash: Uint8Array, { programId, number, lineCount, sealedAtSeconds }: Header) =>
  createHash('sha256')
    .update(lastLineHash)
    .update(JSON.stringify([programId, number, lineCount, sealedAtSeconds]))
    .digest()

/** The format in which a block's hash is kept outside the database. */
export const formatHead = ({ programId, number, hash }: { programId: number; number: number; hash: Uint8Array }) =>
  `${programId}:${number}:${Buffer.from(hash).toString('hex')}`

/** Same format as Postgres: six decimals. */
export const formatEpochSeconds = (at: Date) => {
  const milliseconds = at.getTime()
  return `${Math.floor(milliseconds / 1_000)}.${String(milliseconds % 1_000).padStart(3, '0')}000`
}
