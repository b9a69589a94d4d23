import { z } from 'zod'
import { csvFormat, optionalPageQuery } from '../lists.ts'
import { operations } from '../openapi/declaration.ts'
import { confirmedDraft, discardedDraft, payoutDraft, payoutSchedule, payoutScheduleRequest } from './payout-drafts.ts'
import {
  changePayoutRequest,
  createPayoutRequest,
  decidePayoutLineRequest,
  exportPayoutRequest,
  payout,
  payoutLine,
  payoutLineEvent,
  payoutLinesQuery,
  payoutPreview,
  payoutPreviewQuery,
  payoutSummary,
  payoutsQuery,
} from './payouts.ts'
import { merchantDetails, merchantDetailsRequest, statement, statementQuery } from './statements.ts'

const LIST = '/api/programs/{programId}/payouts'
const ONE = `${LIST}/{payoutId}` as const
const LINE = `${ONE}/lines/{lineId}` as const
const DRAFT = `${LIST}/drafts/{draftId}` as const
const LEGAL_DETAILS = '/api/programs/{programId}/legal-details'

export const PAYOUTS = operations({
  list: {
    method: 'get',
    path: LIST,
    permission: 'commission:read',
    summary: 'List payouts',
    description: 'Lists payouts with the number of lines that are still open and the amount per currency.',
    query: payoutsQuery.extend(csvFormat),
    list: payoutSummary,
    file: true,
  },
  preview: {
    method: 'get',
    path: `${LIST}/preview`,
    permission: 'commission:read',
    summary: 'Preview a payout',
    description: 'Lists who would be paid, and how much, if you created a payout now. Nothing is saved.',
    query: payoutPreviewQuery,
    list: payoutPreview.element,
  },
  create: {
    method: 'post',
    path: LIST,
    permission: 'payout:manage',
    summary: 'Create a payout',
    description:
      'Batches everything that is payable into one payout with a line per partner and currency, and reserves the amounts. Partners below the minimum payout roll over to the next one. 409 if nothing is payable.',
    request: createPayoutRequest,
    example: { excludePartnerIds: [2] },
    bodyIsOptional: true,
    status: 201,
    answer: payout,
    errors: ['conflict'],
  },
  get: {
    method: 'get',
    path: ONE,
    permission: 'commission:read',
    summary: 'Get a payout',
    description: 'Returns a payout with all its lines.',
    answer: payout,
  },
  change: {
    method: 'patch',
    path: ONE,
    permission: 'payout:manage',
    summary: 'Edit a payout',
    description: 'Changes the note and the reference of a payout with open lines. Null removes them.',
    request: changePayoutRequest,
    example: { note: 'October commissions', reference: 'PO-2026-11' },
    answer: payout,
    errors: ['conflict'],
  },
  export: {
    method: 'post',
    path: `${ONE}/export`,
    permission: 'payout:manage',
    summary: 'Export a payout',
    description:
      'Downloads the payout as CSV, or as a payment file for PayPal or Wise. A line is in at most one payment file, and marking it paid books the highest exported amount.',
    request: exportPayoutRequest,
    example: { format: 'csv' },
    response: z.string().describe('text/csv'),
    file: true,
    errors: ['conflict'],
  },
})

export const PAYOUT_LINES = operations({
  list: {
    method: 'get',
    path: `${ONE}/lines`,
    permission: 'commission:read',
    summary: 'List payout lines',
    description: 'Lists the lines of a payout with partner, amount, method and status.',
    query: payoutLinesQuery,
    list: payoutLine,
  },
  decide: {
    method: 'post',
    path: LINE,
    permission: 'payout:manage',
    summary: 'Mark a payout line paid or failed',
    description:
      "`paid` books the payment. `failed` returns the amount to the partner's balance. Neither can be undone.",
    request: decidePayoutLineRequest,
    example: { status: 'paid', reference: 'PAYID-7F3K2' },
    answer: payoutLine,
    errors: ['conflict'],
  },
  reset: {
    method: 'post',
    path: `${LINE}/reset`,
    permission: 'payout:manage',
    summary: 'Reset a payout line',
    description:
      'Removes an open line from its payment file so that you can pay it by another method. Make sure the payment was not sent.',
    answer: payoutLine,
    errors: ['conflict'],
  },
  history: {
    method: 'get',
    path: `${LINE}/history`,
    permission: 'payout:manage',
    summary: 'Get the history of a payout line',
    description: 'Lists when the line was created, exported and marked paid or failed, and by whom, oldest first.',
    query: optionalPageQuery,
    list: payoutLineEvent,
  },
  statement: {
    method: 'get',
    path: `${LINE}/statement`,
    permission: 'payout:manage',
    summary: 'Get a statement',
    description:
      'Returns the statement of a payout line: the legal details of both sides as they were when it was issued, and every commission in it.',
    query: statementQuery,
    answer: statement,
  },
  reissue: {
    method: 'post',
    path: `${LINE}/statement/reissue`,
    permission: 'payout:manage',
    summary: 'Reissue a statement',
    description:
      'Issues a new version of the statement with the legal details of now. The number and all amounts stay the same, and earlier versions are kept. 409 if no details have changed.',
    status: 201,
    answer: statement,
    errors: ['conflict'],
  },
})

/** The payout schedule and the drafts it prepares. */
export const PAYOUT_DRAFTS = operations({
  schedule: {
    method: 'get',
    path: `${LIST}/schedule`,
    permission: 'commission:read',
    summary: 'Get the payout schedule',
    description: 'Returns when payout drafts are prepared.',
    answer: payoutSchedule,
  },
  setSchedule: {
    method: 'put',
    path: `${LIST}/schedule`,
    permission: 'payout:manage',
    summary: 'Set the payout schedule',
    description:
      "Prepares a payout draft at midnight of the chosen days, in the program's time zone, if anything is payable. Drafts move no money until someone confirms them.",
    request: payoutScheduleRequest,
    example: { frequency: 'monthly', day: 1 },
    answer: payoutSchedule,
  },
  open: {
    method: 'get',
    path: `${LIST}/draft`,
    permission: 'commission:read',
    summary: 'Get the open payout draft',
    description: 'Returns the draft that waits for a decision, with the amounts then and now, or null.',
    answer: payoutDraft.nullable(),
  },
  confirm: {
    method: 'post',
    path: `${DRAFT}/confirm`,
    permission: 'payout:manage',
    summary: 'Confirm a payout draft',
    description:
      'Creates a payout of what is payable now, and lists the amounts that differ from the draft. Confirming a draft again returns its payout.',
    request: createPayoutRequest,
    example: { note: 'November commissions' },
    bodyIsOptional: true,
    status: 201,
    answer: confirmedDraft,
    errors: ['conflict'],
  },
  discard: {
    method: 'post',
    path: `${DRAFT}/discard`,
    permission: 'payout:manage',
    summary: 'Discard a payout draft',
    description: 'Closes the draft without a payout. The balances stay payable.',
    answer: discardedDraft,
    errors: ['conflict'],
  },
})

export const MERCHANT_DETAILS = operations({
  get: {
    method: 'get',
    path: LEGAL_DETAILS,
    permission: 'program:read',
    summary: 'Get your legal details',
    description: 'Returns the legal details that statements show, or null if they are not entered.',
    answer: merchantDetails.nullable(),
  },
  set: {
    method: 'put',
    path: LEGAL_DETAILS,
    permission: 'program:update',
    summary: 'Set your legal details',
    description:
      'Sets the legal details on the statements of later payouts. Existing statements keep theirs until you reissue them.',
    request: merchantDetailsRequest,
    example: {
      legalName: 'Acme GmbH',
      address: '1 Example Street\n10115 Berlin\nGermany',
      taxId: 'DE123456789',
      email: 'billing@acme.example',
      selfBilling: true,
    },
    answer: merchantDetails,
  },
})
