import { operations } from '../openapi/declaration.ts'
import { heldAmount, holdsQuery, releasedHolds, releaseHoldsRequest } from './holds.ts'

const PATH = '/api/programs/{programId}/holds'

/** Commissions in their hold period. */
export const HOLDS = operations({
  list: {
    method: 'get',
    path: PATH,
    permission: 'commission:read',
    summary: 'List held amounts',
    description:
      'Lists, per currency, what approved partners have in the hold period: when the next amount becomes payable, and what a release would make payable now.',
    query: holdsQuery,
    list: heldAmount,
  },
  release: {
    method: 'post',
    path: `${PATH}/release` as const,
    permission: 'payout:manage',
    summary: 'Release held commissions',
    description:
      'Ends the hold period of the commissions that are in it now, so that they are payable immediately. Refunds and disputes reduce them as before. Commissions in review, fully disputed ones and those of partners who are not approved stay as they are, and so do bonuses and manual commissions, whose date a member set. Many commissions are released in several transactions; a repeated call releases what an interrupted one left, and otherwise finds nothing. It cannot be undone.',
    request: releaseHoldsRequest,
    example: { partnerId: 1 },
    answer: releasedHolds,
    errors: ['not_found'],
  },
})
