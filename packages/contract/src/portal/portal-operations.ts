import { z } from 'zod'
import { signedIn } from '../accounts/accounts.ts'
import { portalSalesQuery } from '../customers/customers.ts'
import { answerOf, listOf, optionalPageQuery } from '../lists.ts'
import { payoutDetails, payoutDetailsRequest } from '../money/payout-details.ts'
import { listed } from '../openapi/declaration.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import { performanceQuery } from '../tracking/events.ts'
import {
  partnerSignUpRequest,
  portalBalances,
  portalEarning,
  portalEarningDetail,
  portalEarningsQuery,
  portalExportQuery,
  portalOverview,
  portalPayout,
  portalPayoutsQuery,
  portalSale,
} from './portal.ts'
import { PARTNER_INVITATIONS, PORTAL_ACCESS } from './portal-access-operations.ts'
import { PORTAL_LINKS } from './portal-link-operations.ts'

const PROGRAM_PATH = '/api/portal/programs/{programId}'
const read = {
  method: 'get' as const,
  caller: 'partner' as const,
  refusals: ['invalid_request' as const, ...programErrors],
}

/** Everything here is limited to the partner's own data, and never includes customer data. */
export const PORTAL_OPERATIONS: Operation[] = [
  ...listed(PORTAL_ACCESS),
  ...listed(PARTNER_INVITATIONS),
  {
    method: 'post',
    path: '/api/public/partner-invitations/{invitationId}/sign-up',
    caller: 'public',
    summary: 'Sign up as an invited partner',
    description: 'Creates an account for the invited address, accepts the invitation and sets the session cookie.',
    request: partnerSignUpRequest,
    answers: [signedIn],
    refusals: [...bodyErrors, 'not_found', 'conflict', 'rate_limited'],
  },
  {
    ...read,
    path: '/api/portal/balances',
    summary: 'List your balances',
    description: 'Lists your balances in every program where the signed-in user is a partner.',
    query: optionalPageQuery,
    answers: [listOf(portalBalances)],
    refusals: ['invalid_request', 'unauthenticated'],
  },
  {
    ...read,
    path: `${PROGRAM_PATH}/overview`,
    summary: 'Get your overview',
    description: 'Returns your clicks, leads, sales and earnings per day, and your balance in each currency.',
    query: performanceQuery,
    answers: [answerOf(portalOverview)],
  },
  ...listed(PORTAL_LINKS),
  {
    ...read,
    path: `${PROGRAM_PATH}/sales`,
    summary: 'List your sales',
    description:
      'Lists the sales credited to you, with what each earned or why it paid nothing, without customer data.',
    query: portalSalesQuery,
    answers: [listOf(portalSale)],
  },
  {
    ...read,
    path: `${PROGRAM_PATH}/earnings`,
    summary: 'List your earnings',
    description:
      'Lists your commissions with their state, when each becomes payable, and why an amount is in review, in dispute or reversed.',
    query: portalEarningsQuery,
    answers: [listOf(portalEarning)],
  },
  {
    ...read,
    path: `${PROGRAM_PATH}/earnings/{commissionId}`,
    summary: 'Get an earning',
    description: 'Returns a commission with a plain-language explanation of how it came about.',
    answers: [answerOf(portalEarningDetail)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    ...read,
    path: `${PROGRAM_PATH}/payouts`,
    summary: 'List your payouts',
    description: 'Lists your payouts, one row per currency.',
    query: portalPayoutsQuery,
    answers: [listOf(portalPayout)],
  },
  {
    ...read,
    path: `${PROGRAM_PATH}/export/{file}`,
    summary: 'Export your data as CSV',
    description:
      'Downloads a CSV file. `file` is `earnings.csv`, `payouts.csv` or `statement.csv` (every ledger entry). The filters apply to `earnings.csv` only.',
    query: portalExportQuery,
    answers: [z.string().describe('text/csv')],
    refusals: ['invalid_request', ...programErrors, 'not_found'],
  },
  {
    ...read,
    path: `${PROGRAM_PATH}/payout-details`,
    summary: 'Get your payout details',
    description: 'Returns how you are paid, or null if you have not entered it.',
    answers: [answerOf(payoutDetails.nullable())],
    refusals: programErrors,
  },
  {
    method: 'put',
    path: `${PROGRAM_PATH}/payout-details`,
    caller: 'partner',
    summary: 'Set your payout details',
    description:
      'Sets how you are paid. After a change, payouts to you are paused for 48 hours, in case it was not you: payment files leave you out. The same applies to your first details if you have already earned something.',
    request: payoutDetailsRequest,
    answers: [answerOf(payoutDetails)],
    refusals: [...bodyErrors, ...programErrors, 'two_factor_required'],
  },
]
