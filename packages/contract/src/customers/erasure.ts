import { z } from 'zod'
import { identifier } from '../fields.ts'
import { answerOf } from '../lists.ts'
import { body, type Operation, ofProgram } from '../openapi/operation.ts'

/** In the body and not in the address: a customer key can be an e-mail address, and addresses are logged on the way. */
export const eraseRequest = z
  .object({
    customerKey: identifier.describe('The customer key, as at lead time'),
    clickId: identifier.describe('Or the click_id of the customer'),
  })
  .partial()
  .refine(({ customerKey, clickId }) => (customerKey === undefined) !== (clickId === undefined), {
    error: 'must name customerKey or clickId: one of them',
  })

/** How many rows lost what was personal in them. All 0 where there was nothing, or nothing any more. */
export const erasure = z.object({
  customers: z.int(),
  sales: z.int(),
  clicks: z.int(),
  testEvents: z.int(),
  paymentReports: z.int().describe('What a payment processor said about their payments'),
  processorEvents: z.int().describe('Its messages, as they were received'),
})

export const ERASURE_OPERATIONS: Operation[] = [
  {
    method: 'post',
    path: '/api/programs/{programId}/customers/erase',
    caller: 'session',
    permission: 'member:manage',
    summary: "Erase a customer's personal data for good; money stays as it is",
    request: eraseRequest,
    answers: [answerOf(erasure)],
    refusals: [...body, ...ofProgram],
  },
]
