import { operations } from '../openapi/declaration.ts'
import { changeViewRequest, createViewRequest, foundRow, programSearchQuery, savedView, viewsQuery } from './views.ts'

const LIST = '/api/programs/{programId}/views'
const ONE = `${LIST}/{viewId}` as const

/** Saved views of lists. Everyone has their own; sharing them with the team needs `program:update`. */
export const VIEWS = operations({
  list: {
    method: 'get',
    path: LIST,
    permission: 'program:read',
    summary: 'List saved views',
    description: 'Lists your own views and those shared with the team, for the lists that you may open.',
    query: viewsQuery,
    list: savedView,
  },
  create: {
    method: 'post',
    path: LIST,
    permission: 'program:read',
    summary: 'Save a view',
    description:
      'Saves the filters, sort order and columns of a list. Sharing it with the team needs `program:update`.',
    request: createViewRequest,
    example: {
      list: 'sales',
      name: 'Not credited this year',
      shared: true,
      search: { state: 'uncredited', dateFrom: '2026-01-01', sort: '-amountCents' },
    },
    status: 201,
    answer: savedView,
    errors: ['conflict'],
  },
  change: {
    method: 'patch',
    path: ONE,
    permission: 'program:read',
    summary: 'Change a saved view',
    description:
      'Renames one of your own views or replaces its filters or columns. A shared one, and sharing one, needs `program:update`.',
    request: changeViewRequest,
    example: { name: 'Not credited', search: { state: 'uncredited' } },
    answer: savedView,
    errors: ['conflict'],
  },
  remove: {
    method: 'delete',
    path: ONE,
    permission: 'program:read',
    summary: 'Delete a saved view',
    description: 'Deletes one of your own views or, with `program:update`, a shared one.',
    answer: savedView,
  },
})

/** The search of the command palette. */
export const SEARCH = operations({
  find: {
    method: 'get',
    path: '/api/programs/{programId}/search',
    permission: 'tracking:read',
    summary: 'Search a program',
    description:
      'Finds up to five partners, customers, sales, links and promotion codes each, newest first. Customers and sales need `tracking:list`.',
    query: programSearchQuery,
    list: foundRow,
  },
})
