import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { verifySequences } from '../../outbox/verify-sequences.ts'
import { readTerms } from '../rewards/program-terms.ts'
import { verifyAccounts } from './verify-accounts.ts'
import { verifyAdjustments } from './verify-adjustments.ts'
import { verifyChain } from './verify-chain.ts'
import { verifyCommissions } from './verify-commissions.ts'
import { verifyCounts } from './verify-counts.ts'
import { verifySalesOfPayments } from './verify-payments.ts'
import { verifyStatements } from './verify-statements.ts'

/** `head` identifies the latest block. A copy kept elsewhere proves later that no blocks were removed. */
export type VerifiedProgram = { lines: number; blocks: number; head: string | null; differences: string[] }

type VerifyInput = {
  programId: number
  /** Older lines must be in a block; null if the service may not have been running to seal them. */
  sealedBefore: Date | null
  /** Checks that belong to other modules. */
  furtherChecks?: ((tx: Tx, check: { programId: number; found: (difference: string) => void }) => Promise<void>)[]
}

/** Recomputes everything about a program's money in one snapshot, so that a running service causes no false differences. */
export const verifyProgram = (
  db: Database,
  { programId, sealedBefore, furtherChecks = [] }: VerifyInput,
): Promise<VerifiedProgram> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Taken before the snapshot: retention must not drop a partition that the snapshot still needs.
      await sql`LOCK TABLE click_events IN ACCESS SHARE MODE`.execute(tx)
      const differences: string[] = []
      const found = (difference: string) => differences.push(difference)
      const { blocks, head, broken } = await verifyChain(tx, { programId, sealedBefore })
      if (broken) found(broken)
      const terms = await readTerms(tx, programId)
      await verifyCommissions(tx, { programId, terms, found })
      await verifyAdjustments(tx, { programId, found })
      await verifyAccounts(tx, { programId, found })
      await verifyStatements(tx, { programId, found })
      await verifyCounts(tx, { programId, found })
      await verifySalesOfPayments(tx, { programId, found })
      await verifySequences(tx, { programId, found })
      for (const check of furtherChecks) await check(tx, { programId, found })
      return { lines: await countLines(tx, programId), blocks, head, differences }
    })

const countLines = async (tx: Tx, programId: number) => {
  const { lines } = await tx
    .selectFrom('ledgerLines')
    .select((e) => e.fn.countAll<number>().as('lines'))
    .where('programId', '=', programId)
    .executeTakeFirstOrThrow()
  return lines
}

type Totals = { programs: number; lines: number; blocks: number; differences: number }

export const verifyLedger = async (
  db: Database,
  { onProgram, ...input }: Omit<VerifyInput, 'programId'> & { onProgram: (id: number, done: VerifiedProgram) => void },
): Promise<Totals> => {
  const totals: Totals = { programs: 0, lines: 0, blocks: 0, differences: 0 }
  const programs = await db.selectFrom('programs').select('id').orderBy('id').execute()
  for (const { id } of programs) {
    const done = await verifyProgram(db, { programId: id, ...input })
    onProgram(id, done)
    totals.programs++
    totals.lines += done.lines
    totals.blocks += done.blocks
    totals.differences += done.differences.length
  }
  return totals
}
