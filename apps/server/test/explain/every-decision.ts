import { expect } from 'bun:test'
import { REASONS } from '@tributary/contract'
import type { Database } from '../../src/database/connect.ts'
import { readDecisions } from '../../src/explain/decisions.ts'
import { replayDecision } from './replay-decision.ts'

/** Feeds the facts of every stored decision back into its rule and expects the same result. Returns the number of decisions. */
export const expectEveryDecisionAgain = async (db: Database) => {
  const rows = await db.selectFrom('decisions').selectAll().orderBy('programId').orderBy('id').execute()
  const decisions = rows.flatMap(readDecisions)
  for (const { id, rule, ruleVersion, facts, outcome, reason, result } of decisions) {
    const again = replayDecision({ rule, ruleVersion, facts })
    expect({ id, rule, result: again }).toEqual({ id, rule, result })
    expect(again).toMatchObject({ outcome, reason })
    expect(Object.keys(REASONS)).toContain(reason)
  }
  return decisions.length
}
