import type { Database } from '../database/connect.ts'
import { nameOf, usersById } from '../database/sql/users-by-id.ts'
import type { CommissionDecision, CommissionFacts } from '../money/commissions/decide-commission.ts'
import type { Decision } from './decisions.ts'
import type { Words } from './words.ts'

/** A program's first reward terms, applied to earlier events, and the name of the member who requested it. */
export type LaterTerms = { termsVersion: number; requestedAt: Date; byName: string | null }

export const findLaterTerms = async (db: Database, programId: number): Promise<LaterTerms | null> => {
  const row = await db
    .selectFrom('rewardBackfills')
    .select(['termsVersion', 'requestedAt', 'requestedBy'])
    .where('programId', '=', programId)
    .executeTakeFirst()
  if (!row) return null
  const { requestedBy, ...terms } = row
  return { ...terms, byName: nameOf(await usersById(db, [requestedBy]), requestedBy) }
}

/** For a commission whose terms are newer than its event. */
export const laterTermsSentence = (decision: Decision, later: LaterTerms | null, words: Words): string | null => {
  if (!later || decision.rule !== 'commission') return null
  const { termsVersion } = decision.result as CommissionDecision
  const { event } = decision.facts as CommissionFacts
  const happenedAt = event.kind === 'lead' ? event.settledAt : event.soldAt
  if (termsVersion !== later.termsVersion || happenedAt > later.requestedAt) return null
  const by = words.reader.audience === 'merchant' && later.byName ? ` by ${later.byName}` : ''
  return `These terms were set on ${words.when(later.requestedAt)}${by} and applied to earlier events.`
}
