import { answerOf, listOf, pageQuery } from '../lists.ts'
import { listed } from '../openapi/declaration.ts'
import { bodyErrors, type Operation, programErrors, sessionErrors } from '../openapi/operation.ts'
import { API_KEYS } from './api-key-operations.ts'
import { LINKS } from './link-operations.ts'
import { PARTNERS } from './partner-operations.ts'
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
  ...listed(PARTNERS),
  ...listed(LINKS),
]
