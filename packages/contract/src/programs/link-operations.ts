import { operations } from '../openapi/declaration.ts'
import { idsOf, linkIdsQuery, matchingIds } from './bulk.ts'
import {
  changedLinks,
  changeLinkRequest,
  changeLinksRequest,
  createLinkRequest,
  linkRow,
  linksQuery,
  referralLink,
} from './partners.ts'

const LIST = '/api/programs/{programId}/links'

/** Referral links of a program. */
export const LINKS = operations({
  create: {
    method: 'post',
    path: LIST,
    permission: 'partner:manage',
    summary: 'Create a link',
    description: 'Creates a referral link. If the program has websites, the destination must be on one of them.',
    request: createLinkRequest,
    example: { partnerId: 1, aff: 'maya', destinationUrl: 'https://shop.example/' },
    status: 201,
    answer: referralLink,
    errors: ['conflict'],
  },
  list: {
    method: 'get',
    path: LIST,
    permission: 'tracking:read',
    summary: 'List links',
    description: 'Lists referral links with their clicks, leads, sales, revenue and commissions, newest first.',
    query: linksQuery,
    list: linkRow,
  },
  changeSeveral: {
    method: 'patch',
    path: LIST,
    permission: 'partner:manage',
    summary: 'Enable or disable several links',
    description: 'Changes all of the given links, or none if one of the IDs is not a link of the program.',
    request: changeLinksRequest,
    example: { ids: [1, 2], active: false },
    answer: changedLinks,
    errors: ['not_found'],
  },
  change: {
    method: 'patch',
    path: `${LIST}/{linkId}`,
    permission: 'partner:manage',
    summary: 'Update a link',
    description:
      "Changes a link's destination, or enables or disables it. Once a disabling call has been answered, no later click on the link is recorded.",
    request: changeLinkRequest,
    example: { active: false },
    answer: referralLink,
    errors: ['conflict'],
  },
  ids: {
    method: 'get',
    path: `${LIST}/ids`,
    permission: 'tracking:read',
    ...idsOf('links'),
    query: linkIdsQuery,
    answer: matchingIds,
    errors: ['conflict'],
  },
})
