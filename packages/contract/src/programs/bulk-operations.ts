import { answerOf } from '../lists.ts'
import { listed } from '../openapi/declaration.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import { bulkCommissionsRequest, bulkResult, commissionIdsQuery, idsOf, matchingIds } from './bulk.ts'
import { BULK_PARTNERS, PARTNER_IDS } from './partner-operations.ts'

const idsIn = (noun: string) => ({
  ...idsOf(noun),
  method: 'get' as const,
  caller: 'session' as const,
  answers: [answerOf(matchingIds)],
  refusals: ['invalid_request' as const, ...programErrors, 'conflict' as const],
})

/** Actions on many rows of a list. Each row is changed on its own, so calling again continues where a call was cut off. */
export const BULK_OPERATIONS: Operation[] = [
  ...listed(PARTNER_IDS),
  {
    ...idsIn('commissions'),
    path: '/api/programs/{programId}/commissions/ids',
    permission: 'commission:read',
    query: commissionIdsQuery,
  },
  ...listed(BULK_PARTNERS),
  {
    method: 'post',
    path: '/api/programs/{programId}/commissions/bulk',
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Review or void several commissions',
    description:
      'Approves (`release`) or rejects commissions in review, or voids commissions. Says why it skipped those that the action does not apply to.',
    request: bulkCommissionsRequest,
    answers: [answerOf(bulkResult)],
    refusals: [...bodyErrors, ...programErrors],
  },
]
