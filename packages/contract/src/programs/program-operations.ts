import { answerOf, listOf, pageQuery } from '../lists.ts'
import { listed } from '../openapi/declaration.ts'
import { bodyErrors, type Operation, programErrors, sessionErrors } from '../openapi/operation.ts'
import { API_KEYS } from './api-key-operations.ts'
import { LINKS } from './link-operations.ts'
import {
  changePartnerRequest,
  createPartnerRequest,
  partnerDetail,
  partnerRow,
  partnersQuery,
  writtenPartner,
} from './partners.ts'
import { changeProgramRequest, createProgramRequest, program } from './programs.ts'

/** Programs, API keys, partners and links. */
export const PROGRAM_OPERATIONS: Operation[] = [
  {
    method: 'post',
    path: '/api/programs',
    caller: 'session',
    permission: 'program:create',
    summary: 'Create a program',
    description: 'Creates a program in a workspace. Without `reward`, leads and sales are tracked but earn nothing.',
    request: createProgramRequest,
    status: 201,
    answers: [answerOf(program)],
    refusals: [...bodyErrors, 'invalid_currency', ...sessionErrors],
  },
  {
    method: 'get',
    path: '/api/programs',
    caller: 'session',
    summary: 'List programs',
    description: 'Lists the programs of every workspace the signed-in user belongs to.',
    query: pageQuery,
    answers: [listOf(program)],
    refusals: ['invalid_request', 'unauthenticated'],
  },
  {
    method: 'get',
    path: '/api/programs/{programId}',
    caller: 'session',
    permission: 'program:read',
    summary: 'Get a program',
    description: "Returns a program's settings and its current reward terms.",
    answers: [answerOf(program)],
    refusals: programErrors,
  },
  {
    method: 'patch',
    path: '/api/programs/{programId}',
    caller: 'session',
    permission: 'program:update',
    summary: 'Update a program',
    description:
      'Changes the given settings and leaves the others alone. Settings that affect commissions also require `payout:manage`; `leadAuth` also requires `key:manage`.',
    request: changeProgramRequest,
    answers: [answerOf(program)],
    refusals: [...bodyErrors, ...programErrors, 'conflict'],
  },
  ...listed(API_KEYS),
  {
    method: 'post',
    path: '/api/programs/{programId}/partners',
    caller: 'session',
    permission: 'partner:manage',
    summary: 'Create a partner',
    description:
      'Adds a partner. Their links record clicks right away, but commissions are on hold until the partner is `approved`.',
    request: createPartnerRequest,
    status: 201,
    answers: [answerOf(writtenPartner)],
    refusals: [...bodyErrors, ...programErrors, 'conflict'],
  },
  {
    method: 'get',
    path: '/api/programs/{programId}/partners',
    caller: 'session',
    permission: 'tracking:read',
    summary: 'List partners',
    description: 'Lists partners with their clicks, leads, sales, revenue and commissions, newest first.',
    query: partnersQuery,
    answers: [listOf(partnerRow)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    method: 'get',
    path: '/api/programs/{programId}/partners/{partnerId}',
    caller: 'session',
    permission: 'tracking:read',
    summary: 'Get a partner',
    description:
      'Returns a partner with their figures, balances, reward terms and, for members with `payout:manage`, payout details.',
    answers: [answerOf(partnerDetail)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    method: 'patch',
    path: '/api/programs/{programId}/partners/{partnerId}',
    caller: 'session',
    permission: 'partner:manage',
    summary: 'Update a partner',
    description:
      'Changes the given fields. Changing the email address or reinstating a partner also requires `payout:manage`. While a partner is suspended or rejected, their links answer 410 and they are left out of payouts.',
    request: changePartnerRequest,
    answers: [answerOf(writtenPartner)],
    refusals: [...bodyErrors, ...programErrors, 'not_found', 'conflict'],
  },
  ...listed(LINKS),
]
