import { expect } from 'bun:test'
import { REASONS } from '@tributary/contract'
import type { Database } from '../../src/database/connect.ts'
import type { RuleName } from '../../src/explain/decisions.ts'
import { fromJson } from '../../src/explain/decisions.ts'
import { replayDecision } from '../../src/tracking/explain/replay-decision.ts'

/** Feeds the facts of every stored decision back into its rule and expects the same result. Returns the number of decisions. */
export const expectEveryDecisionAgain = async (db: Database) => {
  const decisions = await db.selectFrom('decisions').selectAll().orderBy('programId').orderBy('id').execute()
  for (const { id, rule, ruleVersion, facts, outcome, reason, result } of decisions) {
    const again = replayDecision({ rule: rule as RuleName, ruleVersion, facts: fromJson(facts) })
    expect({ id, rule, result: again }).toEqual({ id, rule, result: fromJson(result) })
    expect(again).toMatchObject({ outcome, reason })
    expect(Object.keys(REASONS)).toContain(reason)
  }
  return decisions.length
}
