import { answerOf } from '../lists.ts'
import { type Operation, programErrors } from '../openapi/operation.ts'
import { explainQuery, explanation, whyNotQuery } from './explain.ts'

const question = {
  method: 'get' as const,
  caller: 'session' as const,
  permission: 'tracking:read' as const,
  answers: [answerOf(explanation)],
} satisfies Partial<Operation>

export const EXPLAIN_OPERATIONS: Operation[] = [
  {
    ...question,
    path: '/api/programs/{programId}/sales/{saleId}/explain',
    summary: 'Explain a sale',
    description:
      'Says which partner the sale is credited to and why, how much it earned, and the history of the commission since.',
    query: explainQuery,
    refusals: ['invalid_request', ...programErrors, 'not_found'],
  },
  {
    ...question,
    path: '/api/programs/{programId}/leads/{leadId}/explain',
    summary: 'Explain a lead',
    description:
      'Says which partner the lead is credited to and why, or why it is still provisional, and how much it earned.',
    query: explainQuery,
    refusals: ['invalid_request', ...programErrors, 'not_found'],
  },
  {
    ...question,
    path: '/api/programs/{programId}/explain',
    summary: 'Explain an invoice, customer or click',
    description:
      'Looks up exactly one of `invoice_id`, `customer_key` or `click_id`. It always answers, even if the service never received it: `reason` then says so, and `sentences` say what to do.',
    query: whyNotQuery,
    refusals: ['invalid_request', ...programErrors],
  },
]
