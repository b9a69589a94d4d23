import { operations } from '../openapi/declaration.ts'
import { portalLink, portalLinkRequest, portalLinksQuery } from './portal.ts'

const LIST = '/api/portal/programs/{programId}/links'

/** A partner's own links. */
export const PORTAL_LINKS = operations({
  list: {
    method: 'get',
    path: LIST,
    caller: 'partner',
    summary: 'List your links',
    description: 'Lists your referral links with their clicks, leads, sales and earnings, oldest first.',
    query: portalLinksQuery,
    list: portalLink,
  },
  create: {
    method: 'post',
    path: LIST,
    caller: 'partner',
    summary: 'Create a link',
    description:
      'Creates a referral link. 403 if the program does not let partners create links or has not approved you.',
    request: portalLinkRequest,
    example: { destinationUrl: 'https://shop.example/pricing' },
    status: 201,
    answer: portalLink,
    errors: ['conflict'],
  },
})
