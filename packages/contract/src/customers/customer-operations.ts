import { z } from 'zod'
import { answerOf, listOf } from '../lists.ts'
import { type Operation, ofProgram } from '../openapi/operation.ts'
import { customer, customerDetail, customersQuery, exportQuery, sale, saleDetail, salesQuery } from './customers.ts'

const read = { method: 'get' as const, caller: 'session' as const, permission: 'tracking:list' as const }

/** Who signed up, and what was sold. */
export const CUSTOMER_OPERATIONS: Operation[] = [
  {
    ...read,
    path: '/api/programs/{programId}/customers',
    summary: 'List customers',
    query: customersQuery,
    answers: [listOf(customer)],
    refusals: ['invalid_request', ...ofProgram],
  },
  {
    ...read,
    path: '/api/programs/{programId}/customers/{customerId}',
    summary: 'Read a customer with all that happened',
    answers: [answerOf(customerDetail)],
    refusals: [...ofProgram, 'not_found'],
  },
  {
    ...read,
    path: '/api/programs/{programId}/sales',
    summary: 'List sales',
    query: salesQuery,
    answers: [listOf(sale)],
    refusals: ['invalid_request', ...ofProgram],
  },
  {
    ...read,
    path: '/api/programs/{programId}/sales/{saleId}',
    summary: 'Read a sale with its refunds',
    answers: [answerOf(saleDetail)],
    refusals: [...ofProgram, 'not_found'],
  },
  {
    ...read,
    // What is money needs commission:read, the rest tracking:list.
    permission: 'program:read',
    path: '/api/programs/{programId}/export/{file}',
    summary:
      'Everything as a file: events.csv, customers.csv, sales.csv, commissions.csv, ledger.csv, partners.csv, links.csv, payouts.csv',
    query: exportQuery,
    answers: [z.string().describe('text/csv')],
    refusals: ['invalid_request', ...ofProgram, 'not_found'],
  },
]
