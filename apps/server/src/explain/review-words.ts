import type { ReasonCode } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import { reasonFor, type Words } from './words.ts'

export type DecidedReview = { note: string | null; decidedBy: string | null }

/** The latest review decision about a commission, or null. */
export const decidedReviewOf = async (
  db: Database,
  { programId, commissionId }: { programId: number; commissionId: number },
): Promise<DecidedReview | null> => {
  const row = await db
    .selectFrom('commissionReviews as review')
    .leftJoin('users', 'users.id', 'review.decidedBy')
    .select(['review.decisionNote as note', 'users.name as decidedBy'])
    .where('review.programId', '=', programId)
    .where('review.commissionId', '=', commissionId)
    .where('review.decision', 'is not', null)
    .executeTakeFirst()
  return row ?? null
}

/** Merchants see who decided and why. */
export const reviewSentence = (code: ReasonCode, { note, decidedBy }: DecidedReview, words: Words) => {
  if (words.reader.audience === 'partner') return words.reason(code)
  // Confirming the customer releases the review automatically, so no member decided.
  if (note === null || code === 'customer_confirmed') return words.reason(code)
  return `${words.reason(code)} Decided by ${decidedBy ?? 'a former member'}: “${note}”.`
}

export const voidedForPartner = (note: string | null) => {
  const sentence = reasonFor('partner', 'commission_voided')
  return note === null ? sentence : `${sentence.slice(0, -1)}: “${note}”.`
}
