import { answerOf, listOf } from '../lists.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import { changeViewRequest, createViewRequest, foundRow, programSearchQuery, savedView, viewsQuery } from './views.ts'

/** Saved views of lists, and the search of the command palette. */
export const VIEW_OPERATIONS: Operation[] = [
  {
    method: 'get',
    path: '/api/programs/{programId}/views',
    caller: 'session',
    permission: 'program:read',
    summary: 'List saved views',
    description: 'Lists your own views and those shared with the team, for the lists that you may open.',
    query: viewsQuery,
    answers: [listOf(savedView)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    method: 'post',
    path: '/api/programs/{programId}/views',
    caller: 'session',
    permission: 'program:read',
    summary: 'Save a view',
    description:
      'Saves the filters, sort order and columns of a list. Sharing it with the team needs `program:update`.',
    request: createViewRequest,
    status: 201,
    answers: [answerOf(savedView)],
    refusals: [...bodyErrors, ...programErrors, 'conflict'],
  },
  {
    method: 'patch',
    path: '/api/programs/{programId}/views/{viewId}',
    caller: 'session',
    permission: 'program:read',
    summary: 'Change a saved view',
    description:
      'Renames one of your own views or replaces its filters or columns. A shared one, and sharing one, needs `program:update`.',
    request: changeViewRequest,
    answers: [answerOf(savedView)],
    refusals: [...bodyErrors, ...programErrors, 'not_found', 'conflict'],
  },
  {
    method: 'delete',
    path: '/api/programs/{programId}/views/{viewId}',
    caller: 'session',
    permission: 'program:read',
    summary: 'Delete a saved view',
    description: 'Deletes one of your own views or, with `program:update`, a shared one.',
    answers: [answerOf(savedView)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    method: 'get',
    path: '/api/programs/{programId}/search',
    caller: 'session',
    permission: 'tracking:read',
    summary: 'Search a program',
    description:
      'Finds up to five partners, customers, sales and links each, newest first. Customers and sales need `tracking:list`.',
    query: programSearchQuery,
    answers: [listOf(foundRow)],
    refusals: ['invalid_request', ...programErrors],
  },
]
