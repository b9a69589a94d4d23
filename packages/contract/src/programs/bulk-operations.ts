import { MAX_SELECTED } from '../limits.ts'
import { answerOf } from '../lists.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import {
  bulkCommissionsRequest,
  bulkPartnersRequest,
  bulkResult,
  commissionIdsQuery,
  linkIdsQuery,
  matchingIds,
  partnerIdsQuery,
} from './bulk.ts'

const idsOf = (noun: string) => ({
  method: 'get' as const,
  caller: 'session' as const,
  summary: `List the IDs of matching ${noun}`,
  description: `Returns the IDs of all ${noun} that match the filters, for bulk actions. Refused if there are more than ${MAX_SELECTED.toLocaleString('en-US')}.`,
  answers: [answerOf(matchingIds)],
  refusals: ['invalid_request' as const, ...programErrors, 'conflict' as const],
})

/** Actions on many rows of a list. Each row is changed on its own, so calling again continues where a call was cut off. */
export const BULK_OPERATIONS: Operation[] = [
  {
    ...idsOf('partners'),
    path: '/api/programs/{programId}/partners/ids',
    permission: 'tracking:read',
    query: partnerIdsQuery,
  },
  { ...idsOf('links'), path: '/api/programs/{programId}/links/ids', permission: 'tracking:read', query: linkIdsQuery },
  {
    ...idsOf('commissions'),
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
