import { z } from 'zod'
import { portalSalesQuery } from '../customers/customers.ts'
import { optionalPageQuery } from '../lists.ts'
import { payoutDetails, payoutDetailsRequest } from '../money/payout-details.ts'
import { partnerLegalDetails, partnerLegalDetailsRequest, statement, statementQuery } from '../money/statements.ts'
import { operations } from '../openapi/declaration.ts'
import { performanceQuery } from '../tracking/events.ts'
import {
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

const PROGRAM = '/api/portal/programs/{programId}'

export const PORTAL_BALANCES = operations({
  list: {
    method: 'get',
    path: '/api/portal/balances',
    caller: 'partner',
    summary: 'List your balances',
    description: 'Lists your balances in every program where the signed-in user is a partner.',
    query: optionalPageQuery,
    list: portalBalances,
  },
  overview: {
    method: 'get',
    path: `${PROGRAM}/overview`,
    caller: 'partner',
    summary: 'Get your overview',
    description:
      'Returns your clicks, leads, sales and earnings per day, your balance in each currency, and your next scheduled payout.',
    query: performanceQuery,
    answer: portalOverview,
  },
})

/** Without customer data. */
export const PORTAL_EARNINGS = operations({
  sales: {
    method: 'get',
    path: `${PROGRAM}/sales`,
    caller: 'partner',
    summary: 'List your sales',
    description:
      'Lists the sales credited to you, with what each earned or why it paid nothing, without customer data.',
    query: portalSalesQuery,
    list: portalSale,
  },
  list: {
    method: 'get',
    path: `${PROGRAM}/earnings`,
    caller: 'partner',
    summary: 'List your earnings',
    description:
      'Lists your commissions with their state, when each becomes payable, and why an amount is in review, in dispute or reversed.',
    query: portalEarningsQuery,
    list: portalEarning,
  },
  get: {
    method: 'get',
    path: `${PROGRAM}/earnings/{commissionId}`,
    caller: 'partner',
    summary: 'Get an earning',
    description: 'Returns a commission with a plain-language explanation of how it came about.',
    answer: portalEarningDetail,
  },
})

export const PORTAL_PAYOUTS = operations({
  list: {
    method: 'get',
    path: `${PROGRAM}/payouts`,
    caller: 'partner',
    summary: 'List your payouts',
    description: 'Lists your payouts, one row per currency.',
    query: portalPayoutsQuery,
    list: portalPayout,
  },
  statement: {
    method: 'get',
    path: `${PROGRAM}/payouts/{lineId}/statement`,
    caller: 'partner',
    summary: 'Get your statement',
    description: 'Returns the statement of one of your payouts.',
    query: statementQuery,
    answer: statement,
  },
  export: {
    method: 'get',
    path: `${PROGRAM}/export/{file}`,
    caller: 'partner',
    summary: 'Export your data as CSV',
    description:
      'Downloads a CSV file. `file` is `earnings.csv`, `payouts.csv` or `statement.csv` (every ledger entry). The filters apply to `earnings.csv` only.',
    query: portalExportQuery,
    response: z.string().describe('text/csv'),
    file: true,
  },
})

/** How a partner is paid, and what statements show about them. */
export const PARTNER_DETAILS = operations({
  payoutDetails: {
    method: 'get',
    path: `${PROGRAM}/payout-details`,
    caller: 'partner',
    summary: 'Get your payout details',
    description: 'Returns how you are paid, or null if you have not entered it.',
    answer: payoutDetails.nullable(),
  },
  setPayoutDetails: {
    method: 'put',
    path: `${PROGRAM}/payout-details`,
    caller: 'partner',
    summary: 'Set your payout details',
    description:
      'Sets how you are paid. After a change, payouts to you are paused for 48 hours, in case it was not you: payment files leave you out. The same applies to your first details if you have already earned something.',
    request: payoutDetailsRequest,
    example: {
      method: 'paypal',
      account: 'maya@example.com',
      holder: 'Maya Lindqvist',
    },
    answer: payoutDetails,
    errors: ['two_factor_required'],
  },
  legalDetails: {
    method: 'get',
    path: `${PROGRAM}/legal-details`,
    caller: 'partner',
    summary: 'Get your legal details',
    description: 'Returns your details for statements, or null if you have not entered them.',
    answer: partnerLegalDetails.nullable(),
  },
  setLegalDetails: {
    method: 'put',
    path: `${PROGRAM}/legal-details`,
    caller: 'partner',
    summary: 'Set your legal details',
    description:
      'Sets your details on the statements of later payouts. Existing statements keep theirs until the program reissues them.',
    request: partnerLegalDetailsRequest,
    example: {
      name: 'Maya Lindqvist',
      address: '2 Example Lane\n11122 Stockholm\nSweden',
      taxId: 'SE123456789001',
    },
    answer: partnerLegalDetails,
  },
})
