import { operations } from '../openapi/declaration.ts'
import { explainQuery, explanation, whyNotQuery } from './explain.ts'

const PROGRAM = '/api/programs/{programId}'

export const EXPLANATIONS = operations({
  sale: {
    method: 'get',
    path: `${PROGRAM}/sales/{saleId}/explain`,
    permission: 'tracking:read',
    summary: 'Explain a sale',
    description:
      'Says which partner the sale is credited to and why, how much it earned, and the history of the commission since.',
    query: explainQuery,
    answer: explanation,
  },
  lead: {
    method: 'get',
    path: `${PROGRAM}/leads/{leadId}/explain`,
    permission: 'tracking:read',
    summary: 'Explain a lead',
    description:
      'Says which partner the lead is credited to and why, or why it is still provisional, and how much it earned.',
    query: explainQuery,
    answer: explanation,
  },
  identifier: {
    method: 'get',
    path: `${PROGRAM}/explain`,
    permission: 'tracking:read',
    summary: 'Explain an invoice, customer or click',
    description:
      'Looks up exactly one of `invoice_id`, `customer_key` or `click_id`. It always answers, even if the service never received it: `reason` then says so, and `sentences` say what to do.',
    query: whyNotQuery,
    answer: explanation,
  },
})
