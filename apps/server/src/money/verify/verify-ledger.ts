import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { readTerms } from '../rewards/program-terms.ts'
import { verifyAccounts } from './verify-accounts.ts'
import { verifyChain } from './verify-chain.ts'
import { verifyCommissions } from './verify-commissions.ts'
import { verifyCounts } from './verify-counts.ts'
import { verifyPayments } from './verify-payments.ts'
import { verifyRollUps } from './verify-roll-ups.ts'

/** `head` names the latest block: whoever keeps it elsewhere can tell later that nothing was cut off. */
export type VerifiedProgram = { lines: number; blocks: number; head: string | null; differences: string[] }

type Verifying = {
  programId: number
  /** Whatever is older must be in a block; null where nobody may have been there to seal it. */
  sealedBefore: Date | null
  /** What is not of this room to compare. */
  also?: ((tx: Tx, verifying: { programId: number; found: (difference: string) => void }) => Promise<void>)[]
}

/**
 * Everything that can be recomputed about a program's money, as it stood at one moment: the transaction sees nothing that is
 * committed while it reads, so that a service at work makes no differences.
 */
export const verifyProgram = (
  db: Database,
  { programId, sealedBefore, also = [] }: Verifying,
): Promise<VerifiedProgram> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Before the moment is chosen: a month that is dropped in between would be gone while the moment still counts on it.
      await sql`LOCK TABLE click_events IN ACCESS SHARE MODE`.execute(tx)
      const differences: string[] = []
      const found = (difference: string) => differences.push(difference)
      const { blocks, head, broken } = await verifyChain(tx, { programId, sealedBefore })
      if (broken) found(broken)
      const terms = await readTerms(tx, programId)
      await verifyCommissions(tx, { programId, terms, found })
      await verifyAccounts(tx, { programId, found })
      await verifyCounts(tx, { programId, found })
      await verifyRollUps(tx, { programId, found })
      await verifyPayments(tx, { programId, found })
      for (const check of also) await check(tx, { programId, found })
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

/** One program after the other; tells of each as soon as it is done. */
export const verifyLedger = async (
  db: Database,
  {
    onProgram,
    ...verifying
  }: Omit<Verifying, 'programId'> & { onProgram: (id: number, done: VerifiedProgram) => void },
): Promise<Totals> => {
  const totals: Totals = { programs: 0, lines: 0, blocks: 0, differences: 0 }
  const programs = await db.selectFrom('programs').select('id').orderBy('id').execute()
  for (const { id } of programs) {
    const done = await verifyProgram(db, { programId: id, ...verifying })
    onProgram(id, done)
    totals.programs++
    totals.lines += done.lines
    totals.blocks += done.blocks
    totals.differences += done.differences.length
  }
  return totals
}
