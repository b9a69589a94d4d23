import { operations } from '../openapi/declaration.ts'
import { changeCodeRequest, codesQuery, createCodeRequest, promotionCode } from './codes.ts'

const LIST = '/api/programs/{programId}/codes'

/** Promotion codes of partners. */
export const CODES = operations({
  create: {
    method: 'post',
    path: LIST,
    permission: 'partner:manage',
    summary: 'Assign a code',
    description:
      'Assigns a promotion code to a partner. From then on, sales with it are credited to the partner, even without a click. A code can belong to one partner at a time, in any letter case.',
    request: createCodeRequest,
    example: { code: 'SAM20', partnerId: 1 },
    status: 201,
    answer: promotionCode,
    errors: ['conflict', 'not_found'],
  },
  list: {
    method: 'get',
    path: LIST,
    permission: 'tracking:read',
    summary: 'List codes',
    description: 'Lists promotion codes with their uses, revenue and commissions, newest first.',
    query: codesQuery,
    list: promotionCode,
  },
  change: {
    method: 'patch',
    path: `${LIST}/{codeId}`,
    permission: 'partner:manage',
    summary: 'Update a code',
    description:
      'Assigns a code to another partner, disables it or enables it again, or decides on a request. Sales stay with the partner who had the code when they were made, and so do later payments of these customers.',
    request: changeCodeRequest,
    example: { active: false },
    answer: promotionCode,
    errors: ['conflict'],
  },
})
