import { createHash } from 'node:crypto'
import { sql } from 'kysely'

/** What stands before the first block of a program. */
export const GENESIS: Uint8Array = Buffer.alloc(32)

/**
 * Every word of a ledger line, as text that Postgres makes: a Date would drop its microseconds, and what is dropped could be
 * changed unseen. Seconds since 1970 depend on no setting of the server.
 */
export const wordsOfLine = sql<(string | null)[]>`ARRAY[
  line.program_id::text, line.id::text, line.partner_id::text, line.currency, line.from_account, line.to_account,
  line.amount_cents::text, extract(epoch FROM line.available_at)::text, line.cause, line.commission_id::text,
  line.refund_id::text, line.payout_line_id::text, extract(epoch FROM line.created_at)::text]`

/** The hash of a line covers all lines of its block before it, and all blocks before: the first that differs is the one. */
export const hashOfLine = (previousHash: Uint8Array, words: (string | null)[]): Buffer =>
  createHash('sha256').update(previousHash).update(JSON.stringify(words)).digest()

type Header = { programId: number; number: number; lineCount: number; sealedAtSeconds: string }

/** The hash of a block: of its last line, and so of everything before it, and of what the block says about itself. */
export const hashOfBlock = (lastLineHash: Uint8Array, { programId, number, lineCount, sealedAtSeconds }: Header) =>
  createHash('sha256')
    .update(lastLineHash)
    .update(JSON.stringify([programId, number, lineCount, sealedAtSeconds]))
    .digest()

/** How a block is written down outside of the database. */
export const headOf = ({ programId, number, hash }: { programId: number; number: number; hash: Uint8Array }) =>
  `${programId}:${number}:${Buffer.from(hash).toString('hex')}`

/** As Postgres says it: with six decimals. */
export const secondsOf = (at: Date) => {
  const milliseconds = at.getTime()
  return `${Math.floor(milliseconds / 1_000)}.${String(milliseconds % 1_000).padStart(3, '0')}000`
}
