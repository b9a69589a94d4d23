import { operations } from '../openapi/declaration.ts'
import { bulkPartnersRequest, bulkResult, idsOf, matchingIds, partnerIdsQuery } from './bulk.ts'
import {
  changePartnerRequest,
  createPartnerRequest,
  partnerDetail,
  partnerRow,
  partnersQuery,
  writtenPartner,
} from './partners.ts'

const LIST = '/api/programs/{programId}/partners'
const ONE = `${LIST}/{partnerId}` as const

/** Partners of a program. */
export const PARTNERS = operations({
  create: {
    method: 'post',
    path: LIST,
    permission: 'partner:manage',
    summary: 'Create a partner',
    description:
      "Adds a partner and their first link: it is named after their code and leads to the program's first website. Their links record clicks right away, but commissions are on hold until the partner is `approved`.",
    request: createPartnerRequest,
    example: { name: 'Maya Lindqvist', email: 'maya@example.com', status: 'approved' },
    status: 201,
    answer: writtenPartner,
    errors: ['conflict'],
  },
  list: {
    method: 'get',
    path: LIST,
    permission: 'tracking:read',
    summary: 'List partners',
    description: 'Lists partners with their clicks, leads, sales, revenue and commissions, newest first.',
    query: partnersQuery,
    list: partnerRow,
  },
  get: {
    method: 'get',
    path: ONE,
    permission: 'tracking:read',
    summary: 'Get a partner',
    description:
      'Returns a partner with their figures, balances, reward terms and, for members with `payout:manage`, payout details.',
    answer: partnerDetail,
  },
  change: {
    method: 'patch',
    path: ONE,
    permission: 'partner:manage',
    summary: 'Update a partner',
    description:
      'Changes the given fields. Changing the email address or reinstating a partner also requires `payout:manage`. While a partner is suspended or rejected, their links answer 410 and they are left out of payouts.',
    request: changePartnerRequest,
    example: { status: 'suspended' },
    answer: writtenPartner,
    errors: ['conflict'],
  },
})

/** For bulk actions. Listed with those of other resources. */
export const PARTNER_IDS = operations({
  ids: {
    method: 'get',
    path: `${LIST}/ids`,
    permission: 'tracking:read',
    ...idsOf('partners'),
    query: partnerIdsQuery,
    answer: matchingIds,
    errors: ['conflict'],
  },
})

/** Each partner is changed on its own, so calling again continues where a call was cut off. */
export const BULK_PARTNERS = operations({
  change: {
    method: 'post',
    path: `${LIST}/bulk`,
    permission: 'partner:manage',
    summary: 'Suspend, reinstate or invite several partners',
    description:
      'Changes each partner that the action applies to and says why it skipped the others. Reinstating requires `payout:manage`; inviting requires a mail server and skips partners who have a sign-in.',
    request: bulkPartnersRequest,
    example: { ids: [1, 2], action: 'suspend' },
    answer: bulkResult,
    errors: ['conflict'],
  },
})
