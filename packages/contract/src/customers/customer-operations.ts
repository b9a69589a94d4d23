import { z } from 'zod'
import { operations } from '../openapi/declaration.ts'
import { customer, customerDetail, customersQuery, exportQuery, sale, saleDetail, salesQuery } from './customers.ts'

const PROGRAM = '/api/programs/{programId}'

export const CUSTOMERS = operations({
  list: {
    method: 'get',
    path: `${PROGRAM}/customers`,
    permission: 'tracking:list',
    summary: 'List customers',
    description:
      'Lists everyone who became a lead or bought, with the partner and link credited and their revenue. Visitors who only clicked appear as click events instead.',
    query: customersQuery,
    list: customer,
  },
  get: {
    method: 'get',
    path: `${PROGRAM}/customers/{customerId}`,
    permission: 'tracking:list',
    summary: 'Get a customer',
    description: 'Returns a customer with a timeline of clicks, leads, sales, commissions, refunds and disputes.',
    answer: customerDetail,
  },
})

export const SALES = operations({
  list: {
    method: 'get',
    path: `${PROGRAM}/sales`,
    permission: 'tracking:list',
    summary: 'List sales',
    description: 'Lists sales with the partner credited, refunds and the commission each one earned.',
    query: salesQuery,
    list: sale,
  },
  get: {
    method: 'get',
    path: `${PROGRAM}/sales/{saleId}`,
    permission: 'tracking:list',
    summary: 'Get a sale',
    description: 'Returns a sale with its refunds, metadata and the state of its commission.',
    answer: saleDetail,
  },
})

export const EXPORTS = operations({
  get: {
    method: 'get',
    path: `${PROGRAM}/export/{file}`,
    // Each file also requires commission:read or tracking:list.
    permission: 'program:read',
    summary: 'Export data as CSV',
    description:
      'Streams a whole table as CSV. `file` is one of `events.csv`, `customers.csv`, `sales.csv`, `commissions.csv`, `ledger.csv`, `partners.csv`, `links.csv`, `codes.csv` or `payouts.csv`. Files about money also require `commission:read`; the others require `tracking:list`.',
    query: exportQuery,
    file: true,
    response: z.string().describe('text/csv'),
  },
})
