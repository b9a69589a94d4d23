import { csvFormat, optionalPageQuery } from '../lists.ts'
import { operations } from '../openapi/declaration.ts'
import { bulkCommissionsRequest, bulkResult, commissionIdsQuery, idsOf, matchingIds } from '../programs/bulk.ts'
import {
  commissionRow,
  commissionsQuery,
  commissionTotal,
  decideReviewRequest,
  REVIEW_COUNT_LIMIT,
  reviewCount,
  voidCommissionRequest,
} from './money.ts'

export const COMMISSIONS = operations({
  list: {
    method: 'get',
    path: '/api/programs/{programId}/commissions',
    permission: 'commission:read',
    summary: 'List commissions',
    description: 'Lists commissions with their state. Add `format=csv` to download every matching row.',
    query: commissionsQuery.extend(csvFormat),
    list: commissionRow,
    file: true,
  },
  totals: {
    method: 'get',
    path: '/api/programs/{programId}/commissions/totals',
    permission: 'commission:read',
    summary: 'Get commission totals',
    description: 'Adds up the matching commissions by state and currency.',
    query: commissionsQuery.extend(optionalPageQuery.shape),
    list: commissionTotal,
  },
  countReviews: {
    method: 'get',
    path: '/api/programs/{programId}/commissions/review-count',
    permission: 'commission:read',
    summary: 'Count commissions in review',
    description: `Counts the commissions that wait for a decision, up to ${REVIEW_COUNT_LIMIT}. Fast in a program of any size.`,
    answer: reviewCount,
  },
  review: {
    method: 'post',
    path: '/api/programs/{programId}/commissions/{commissionId}/review',
    permission: 'payout:manage',
    summary: 'Review a commission',
    description: 'Approves a commission in `review`, so that it becomes payable after its hold period, or rejects it.',
    request: decideReviewRequest,
    example: {
      decision: 'released',
      reason: 'A real customer',
    },
    answer: commissionRow,
    errors: ['conflict'],
  },
  void: {
    method: 'post',
    path: '/api/programs/{programId}/commissions/{commissionId}/void',
    permission: 'payout:manage',
    summary: 'Void a commission',
    description:
      "Cancels a commission, in any state. The void is an adjustment, which can be undone. If it was already paid, the amount is deducted from the partner's next payout. The partner sees the reason.",
    request: voidCommissionRequest,
    example: { reason: 'Paid search on our brand name' },
    answer: commissionRow,
    errors: ['conflict'],
  },
  ids: {
    ...idsOf('commissions'),
    method: 'get',
    path: '/api/programs/{programId}/commissions/ids',
    permission: 'commission:read',
    query: commissionIdsQuery,
    answer: matchingIds,
    errors: ['conflict'],
  },
  /** Each commission is changed on its own, so calling again continues where a call was cut off. */
  changeSeveral: {
    method: 'post',
    path: '/api/programs/{programId}/commissions/bulk',
    permission: 'payout:manage',
    summary: 'Review or void several commissions',
    description:
      'Approves (`release`) or rejects commissions in review, or voids commissions. Says why it skipped those that the action does not apply to.',
    request: bulkCommissionsRequest,
    example: { ids: [1, 2], action: 'release', reason: 'Real customers' },
    answer: bulkResult,
  },
})
