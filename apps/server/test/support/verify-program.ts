import type { Database } from '../../src/database/connect.ts'
import { verifyRollUps } from '../../src/events/roll-up/verify-roll-ups.ts'
import { verifyProgram as verifyMoney } from '../../src/money/verify/verify-ledger.ts'

/** The checks of `tributary verify` for one program, except those of its payments. */
export const verifyProgram = (db: Database, { furtherChecks = [], ...input }: Parameters<typeof verifyMoney>[1]) =>
  verifyMoney(db, { ...input, furtherChecks: [verifyRollUps, ...furtherChecks] })
