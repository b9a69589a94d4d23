import { operations } from '../openapi/declaration.ts'
import { eraseRequest, erasure } from './erasure.ts'

export const ERASURE = operations({
  erase: {
    method: 'post',
    path: '/api/programs/{programId}/customers/erase',
    permission: 'member:manage',
    summary: 'Erase a customer',
    description:
      "Permanently removes a customer's personal data from every table, including stored processor events. Only the `reason` of a refund stays as you sent it. Sales, commissions and the ledger keep their amounts. Repeating the call is safe.",
    request: eraseRequest,
    example: { customerKey: 'user_42' },
    answer: erasure,
  },
})
