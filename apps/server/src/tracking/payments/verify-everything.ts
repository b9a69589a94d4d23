import type { Database } from '../../database/connect.ts'
import { verifyLedger } from '../../money/verify/verify-ledger.ts'
import { verifyFollowed } from './verify-followed.ts'

type Verifying = Omit<Parameters<typeof verifyLedger>[1], 'also'>

/** What `npm run ledger:verify` compares, for whoever has to know that all of it is right: the books, and the payments behind them. */
export const verifyEverything = (db: Database, verifying: Verifying) =>
  verifyLedger(db, { ...verifying, also: [verifyFollowed] })
