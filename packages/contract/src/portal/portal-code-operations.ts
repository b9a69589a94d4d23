import { operations } from '../openapi/declaration.ts'
import { portalCode, portalCodeRequest, portalCodesQuery } from '../programs/codes.ts'

const LIST = '/api/portal/programs/{programId}/codes'

/** A partner's own codes. */
export const PORTAL_CODES = operations({
  list: {
    method: 'get',
    path: LIST,
    caller: 'partner',
    summary: 'List your codes',
    description: 'Lists your promotion codes with their uses and earnings, newest first.',
    query: portalCodesQuery,
    list: portalCode,
  },
  request: {
    method: 'post',
    path: LIST,
    caller: 'partner',
    summary: 'Ask for a code',
    description:
      'Requests a promotion code. It counts once the program has approved it. 403 if the program does not let partners request codes or has not approved you.',
    request: portalCodeRequest,
    example: { code: 'MAYA20' },
    status: 201,
    answer: portalCode,
    errors: ['conflict'],
  },
})
