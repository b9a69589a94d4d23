import { answerOf, listOf, optionalPageQuery } from '../lists.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import { changePayoutRequest, payout, payoutLineEvent } from './payouts.ts'

const PAYOUTS = '/api/programs/{programId}/payouts'
const LINE = `${PAYOUTS}/{payoutId}/lines/{lineId}`

/** Edits a payout and shows the history of a line. */
export const PAYOUT_OPERATIONS: Operation[] = [
  {
    method: 'patch',
    path: `${PAYOUTS}/{payoutId}`,
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Edit a payout',
    description: 'Changes the note and the reference of a payout with open lines. Null removes them.',
    request: changePayoutRequest,
    answers: [answerOf(payout)],
    refusals: [...bodyErrors, ...programErrors, 'not_found', 'conflict'],
  },
  {
    method: 'get',
    path: `${LINE}/history`,
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Get the history of a payout line',
    description: 'Lists when the line was created, exported and marked paid or failed, and by whom, oldest first.',
    query: optionalPageQuery,
    answers: [listOf(payoutLineEvent)],
    refusals: ['invalid_request', ...programErrors, 'not_found'],
  },
]
