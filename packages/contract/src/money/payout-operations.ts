import { answerOf, listOf, optionalPageQuery } from '../lists.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import { confirmedDraft, discardedDraft, payoutDraft, payoutSchedule, payoutScheduleRequest } from './payout-drafts.ts'
import { changePayoutRequest, createPayoutRequest, payout, payoutLineEvent } from './payouts.ts'

const PAYOUTS = '/api/programs/{programId}/payouts'
const LINE = `${PAYOUTS}/{payoutId}/lines/{lineId}`

/** Scheduled drafts and the history of a line. */
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
  {
    method: 'get',
    path: `${PAYOUTS}/schedule`,
    caller: 'session',
    permission: 'commission:read',
    summary: 'Get the payout schedule',
    description: 'Returns when payout drafts are prepared.',
    answers: [answerOf(payoutSchedule)],
    refusals: programErrors,
  },
  {
    method: 'put',
    path: `${PAYOUTS}/schedule`,
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Set the payout schedule',
    description:
      "Prepares a payout draft at midnight of the chosen days, in the program's time zone, if anything is payable. Drafts move no money until someone confirms them.",
    request: payoutScheduleRequest,
    answers: [answerOf(payoutSchedule)],
    refusals: [...bodyErrors, ...programErrors],
  },
  {
    method: 'get',
    path: `${PAYOUTS}/draft`,
    caller: 'session',
    permission: 'commission:read',
    summary: 'Get the open payout draft',
    description: 'Returns the draft that waits for a decision, with the amounts then and now, or null.',
    answers: [answerOf(payoutDraft.nullable())],
    refusals: programErrors,
  },
  {
    method: 'post',
    path: `${PAYOUTS}/drafts/{draftId}/confirm`,
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Confirm a payout draft',
    description:
      'Creates a payout of what is payable now, and lists the amounts that differ from the draft. Confirming a draft again returns its payout.',
    request: createPayoutRequest,
    status: 201,
    answers: [answerOf(confirmedDraft)],
    refusals: [...bodyErrors, ...programErrors, 'not_found', 'conflict'],
  },
  {
    method: 'post',
    path: `${PAYOUTS}/drafts/{draftId}/discard`,
    caller: 'session',
    permission: 'payout:manage',
    summary: 'Discard a payout draft',
    description: 'Closes the draft without a payout. The balances stay payable.',
    answers: [answerOf(discardedDraft)],
    refusals: [...programErrors, 'not_found', 'conflict'],
  },
]
