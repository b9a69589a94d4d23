import type { ReasonCode } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import { nameOf, usersById } from '../database/sql/users-by-id.ts'
import { withReason } from './adjustment-words.ts'
import { reasonFor, type Words } from './words.ts'

export type DecidedReview = { note: string | null; decidedBy: string | null }

/** The latest review decision about a commission, or null. */
export const decidedReviewOf = async (
  db: Database,
  { programId, commissionId }: { programId: number; commissionId: number },
): Promise<DecidedReview | null> => {
  const row = await db
    .selectFrom('commissionReviews')
    .select(['decisionNote as note', 'decidedBy'])
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .where('decision', 'is not', null)
    .executeTakeFirst()
  if (!row) return null
  return { note: row.note, decidedBy: nameOf(await usersById(db, [row.decidedBy]), row.decidedBy) }
}

/** Merchants see who decided and why. */
export const reviewSentence = (code: ReasonCode, { note, decidedBy }: DecidedReview, words: Words) => {
  if (words.reader.audience === 'partner') return words.reason(code)
  // Confirming the customer approves the commission automatically, so no member decided.
  if (note === null || code === 'customer_confirmed') return words.reason(code)
  return withReason(words.reason(code), { by: decidedBy, reason: note }, words)
}

export const voidedForPartner = (note: string | null) => {
  const sentence = reasonFor('partner', 'commission_voided')
  return note === null ? sentence : `${sentence.slice(0, -1)}: “${note}”.`
}
