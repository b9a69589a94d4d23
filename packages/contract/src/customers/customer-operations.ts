import { z } from 'zod'
import { answerOf, listOf } from '../lists.ts'
import { type Operation, programErrors } from '../openapi/operation.ts'
import { customer, customerDetail, customersQuery, exportQuery, sale, saleDetail, salesQuery } from './customers.ts'

const read = { method: 'get' as const, caller: 'session' as const, permission: 'tracking:list' as const }

export const CUSTOMER_OPERATIONS: Operation[] = [
  {
    ...read,
    path: '/api/programs/{programId}/customers',
    summary: 'List customers',
    description:
      'Lists everyone who became a lead or bought, with the partner and link credited and their revenue. Visitors who only clicked appear as click events instead.',
    query: customersQuery,
    answers: [listOf(customer)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    ...read,
    path: '/api/programs/{programId}/customers/{customerId}',
    summary: 'Get a customer',
    description: 'Returns a customer with a timeline of clicks, leads, sales, commissions, refunds and disputes.',
    answers: [answerOf(customerDetail)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    ...read,
    path: '/api/programs/{programId}/sales',
    summary: 'List sales',
    description: 'Lists sales with the partner credited, refunds and the commission each one earned.',
    query: salesQuery,
    answers: [listOf(sale)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    ...read,
    path: '/api/programs/{programId}/sales/{saleId}',
    summary: 'Get a sale',
    description: 'Returns a sale with its refunds, metadata and the state of its commission.',
    answers: [answerOf(saleDetail)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    ...read,
    // The handler then requires commission:read or tracking:list, depending on the file.
    permission: 'program:read',
    path: '/api/programs/{programId}/export/{file}',
    summary: 'Export data as CSV',
    description:
      'Streams a whole table as CSV. `file` is one of `events.csv`, `customers.csv`, `sales.csv`, `commissions.csv`, `ledger.csv`, `partners.csv`, `links.csv` or `payouts.csv`. Files about money also require `commission:read`; the others require `tracking:list`.',
    query: exportQuery,
    answers: [z.string().describe('text/csv')],
    refusals: ['invalid_request', ...programErrors, 'not_found'],
  },
]
