import { answerOf } from '../lists.ts'
import { listed } from '../openapi/declaration.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import {
  bulkCommissionsRequest,
  bulkPartnersRequest,
  bulkResult,
  commissionIdsQuery,
  idsOf,
  matchingIds,
  partnerIdsQuery,
} from './bulk.ts'
import { LINK_IDS } from './link-operations.ts'

const idsIn = (noun: string) => ({
  ...idsOf(noun),
  method: 'get' as const,
  caller: 'session' as const,
  answers: [answerOf(matchingIds)],
  refusals: ['invalid_request' as const, ...programErrors, 'conflict' as const],
})

/** Actions on many rows of a list. Each row is changed on its own, so calling again continues where a call was cut off. */
export const BULK_OPERATIONS: Operation[] = [
  {
    ...idsIn('partners'),
    path: '/api/programs/{programId}/partners/ids',
    permission: 'tracking:read',
    query: partnerIdsQuery,
  },
  ...listed(LINK_IDS),
  {
    ...idsIn('commissions'),
    path: '/api/programs/{programId}/commissions/ids',
    permission: 'commission:read',
    query: commissionIdsQuery,
  },
  {
    method: 'post',
    path: '/api/programs/{programId}/partners/bulk',
    caller: 'session',
    permission: 'partner:manage',
    summary: 'Suspend, reinstate or invite several partners',
    description:
      'Changes each partner that the action applies to and says why it skipped the others. Reinstating requires `payout:manage`; inviting requires a mail server and skips partners who have a sign-in.',
    request: bulkPartnersRequest,
    answers: [answerOf(bulkResult)],
    refusals: [...bodyErrors, ...programErrors, 'conflict'],
  },
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
