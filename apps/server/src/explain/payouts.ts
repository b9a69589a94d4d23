import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

/** The payouts that paid a commission. */
export const payoutsOfCommission = (
  db: Database | Tx,
  { programId, commissionId }: { programId: number; commissionId: number },
) =>
  db
    .selectFrom('payoutCommissions')
    .innerJoin('payoutLines as line', (join) =>
      join
        .onRef('line.programId', '=', 'payoutCommissions.programId')
        .onRef('line.id', '=', 'payoutCommissions.payoutLineId'),
    )
    .select(['line.payoutId', 'line.decidedAt'])
    .where('payoutCommissions.programId', '=', programId)
    .where('payoutCommissions.commissionId', '=', commissionId)
    .where('line.status', '=', 'paid')
    .orderBy('line.id')
    .execute()
