import type { RewardRequest } from '@tributary/contract'
import { inTransaction } from '../../database/transaction.ts'
import type { Audit } from '../../platform/audit.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { beginRewardBackfill } from '../../tracking/sales/apply-to-earlier.ts'
import { type BackfillDeps, runBackfill } from '../../tracking/sales/backfill-reward.ts'
import { backfillAnswer } from '../rewards/reward-backfills.ts'
import { lockTerms } from '../rewards/reward-terms.ts'
import { PROGRAM_TERMS, rewardInEffect, rewardOf, setTerms, toAudit } from './change-terms.ts'

/** Customers processed before the response; housekeeping processes the rest. */
const MAX_CUSTOMERS = 500

type Change = { program: Program; request: RewardRequest; userId: string; audit: Audit }

/** Sets the terms of the program, which are those of its default group. */
export const changeProgramReward = (tools: BackfillDeps, change: Change) =>
  change.request.applyToEarlier
    ? applyToEarlier(tools, change)
    : inTransaction(tools.db, (tx) => setTerms(tx, { ...change, clock: tools.clock, owner: PROGRAM_TERMS }))

/** Sets the program's first terms and applies them to everything recorded before. */
const applyToEarlier = async (tools: BackfillDeps, { request, userId, audit, ...change }: Change) => {
  const { id: programId } = change.program
  const saved = await inTransaction(tools.db, async (tx) => {
    await lockTerms(tx, programId)
    const program = (await findProgram(tx, programId)) ?? change.program
    const at = tools.clock()
    const before = await rewardOf(tx, { program, owner: PROGRAM_TERMS, at })
    const hasBegun = await beginRewardBackfill(tx, { program, request, userId, at })
    const { warnings, ...after } = await rewardInEffect(tx, { program, owner: PROGRAM_TERMS, at })
    const entry = {
      action: 'reward terms changed',
      subject: 'program reward terms',
      before: toAudit(before),
      after: toAudit(after),
    }
    if (hasBegun) await audit(tx, { ...entry, at })
    return { ...after, warnings }
  })
  const backfill = await runBackfill(tools, { programId, maxCustomers: MAX_CUSTOMERS })
  return { ...saved, ...(backfill && { earlier: backfillAnswer(backfill) }) }
}
