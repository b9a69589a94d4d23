import type { Program as ProgramAnswer } from '@tributary/contract'
import type { Database } from '../../../database/connect.ts'
import type { Tx } from '../../../database/transaction.ts'
import { rewardAnswer } from '../../../money/rewards/change-reward.ts'
import { allTermsAt } from '../../../money/rewards/reward-terms.ts'
import type { Program } from '../../../programs/programs.ts'

/** Programs as API responses, with their current reward terms. */
export const programAnswers = async (
  db: Database | Tx,
  { programs, at }: { programs: Program[]; at: Date },
): Promise<ProgramAnswer[]> => {
  const terms = await allTermsAt(
    db,
    programs.map(({ id }) => ({ programId: id, partnerId: null, at })),
  )
  return programs.map(({ createdAt, formerSettings: _, ...program }, index) => ({
    ...program,
    createdAt: createdAt.toISOString(),
    reward: rewardAnswer(terms[index] ?? null, { currency: program.currency, own: false }),
  }))
}
