import { answerOf } from '../lists.ts'
import { type Operation, ofProgram } from '../openapi/operation.ts'
import { explainQuery, explanation, whyNotQuery } from './explain.ts'

const question = {
  method: 'get' as const,
  caller: 'session' as const,
  permission: 'tracking:read' as const,
  answers: [answerOf(explanation)],
} satisfies Partial<Operation>

/** "Why was this credited, or not?" */
export const EXPLAIN_OPERATIONS: Operation[] = [
  {
    ...question,
    path: '/api/programs/{programId}/sales/{saleId}/explain',
    summary: 'Explain a sale',
    query: explainQuery,
    refusals: ['invalid_request', ...ofProgram, 'not_found'],
  },
  {
    ...question,
    path: '/api/programs/{programId}/leads/{leadId}/explain',
    summary: 'Explain a lead',
    query: explainQuery,
    refusals: ['invalid_request', ...ofProgram, 'not_found'],
  },
  {
    ...question,
    path: '/api/programs/{programId}/explain',
    summary: 'Explain an invoice, a customer or a click, also one that never came',
    query: whyNotQuery,
    refusals: ['invalid_request', ...ofProgram],
  },
]
