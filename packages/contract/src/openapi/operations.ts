import { ACCOUNT_OPERATIONS } from '../accounts/account-operations.ts'
import { SIGN_IN_OPERATIONS } from '../accounts/sign-in-operations.ts'
import { APPLICATION_FORM, APPLICATIONS } from '../branding/application-operations.ts'
import {
  AGREEMENT,
  BRANDING,
  LOGO,
  PORTAL_AGREEMENT,
  PORTAL_RESOURCES,
  RESOURCES,
} from '../branding/branding-operations.ts'
import { CUSTOMERS, EXPORTS, SALES } from '../customers/customer-operations.ts'
import { ERASURE } from '../customers/erasure-operations.ts'
import { EXPLANATIONS } from '../explain/explain-operations.ts'
import { ADJUSTMENTS } from '../money/adjustment-operations.ts'
import { BALANCES } from '../money/balance-operations.ts'
import { COMMISSIONS } from '../money/commission-operations.ts'
import { MONEY_OPERATIONS } from '../money/money-operations.ts'
import { MERCHANT_DETAILS, PAYOUT_DRAFTS, PAYOUT_LINES, PAYOUTS } from '../money/payout-operations.ts'
import { BACKTESTS, PARTNER_REWARDS, REWARDS } from '../money/reward-operations.ts'
import { NOTIFICATION_EMAILS, NOTIFICATIONS, PORTAL_NOTIFICATIONS } from '../notifications/notification-operations.ts'
import { EVENTS } from '../outbox/event-operations.ts'
import { PARTNER_DETAILS, PORTAL_BALANCES, PORTAL_EARNINGS, PORTAL_PAYOUTS } from '../portal/portal-money-operations.ts'
import { PORTAL_OPERATIONS } from '../portal/portal-operations.ts'
import { PORTAL_PROGRAMS } from '../portal/portal-program-operations.ts'
import { PROCESSOR_CONNECTION, PROCESSOR_EVENTS } from '../processor/processor-operations.ts'
import { PROCESSOR_WEBHOOKS } from '../processor/processor-webhooks.ts'
import { API_KEYS } from '../programs/api-key-operations.ts'
import { GROUP_MEMBERS, GROUP_REWARDS, GROUPS } from '../programs/group-operations.ts'
import { LINKS } from '../programs/link-operations.ts'
import { BULK_PARTNERS, PARTNER_IDS, PARTNERS } from '../programs/partner-operations.ts'
import { PROGRAMS, SET_UP } from '../programs/program-operations.ts'
import { SEARCH, VIEWS } from '../programs/view-operations.ts'
import { REPORTS, TRACKING_EVENTS, TRACKING_STATUS } from '../tracking/report-operations.ts'
import { TRACKING_OPERATIONS } from '../tracking/tracking-operations.ts'
import { WEBHOOK_DELIVERIES, WEBHOOK_ENDPOINTS } from '../webhooks/webhook-operations.ts'
import { listed } from './declaration.ts'
import type { Operation } from './operation.ts'

const LISTED: Operation[] = [
  ...TRACKING_OPERATIONS,
  ...listed(EVENTS),
  ...listed(TRACKING_STATUS),
  ...listed(TRACKING_EVENTS),
  ...listed(REPORTS),
  ...ACCOUNT_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...listed(PROGRAMS),
  ...listed(SET_UP),
  ...listed(API_KEYS),
  ...listed(PARTNERS),
  ...listed(LINKS),
  ...listed(GROUPS),
  ...listed(GROUP_REWARDS),
  ...listed(GROUP_MEMBERS),
  ...listed(BRANDING),
  ...listed(LOGO),
  ...listed(AGREEMENT),
  ...listed(RESOURCES),
  ...listed(APPLICATION_FORM),
  ...listed(APPLICATIONS),
  ...listed(VIEWS),
  ...listed(SEARCH),
  ...listed(PARTNER_IDS),
  ...listed(BULK_PARTNERS),
  ...listed(REWARDS),
  ...listed(BACKTESTS),
  ...listed(PARTNER_REWARDS),
  ...listed(COMMISSIONS),
  ...listed(BALANCES),
  ...MONEY_OPERATIONS,
  ...listed(PAYOUTS),
  ...listed(PAYOUT_LINES),
  ...listed(PAYOUT_DRAFTS),
  ...listed(MERCHANT_DETAILS),
  ...listed(ADJUSTMENTS),
  ...listed(EXPLANATIONS),
  ...PROCESSOR_WEBHOOKS,
  ...listed(PROCESSOR_CONNECTION),
  ...listed(PROCESSOR_EVENTS),
  ...listed(CUSTOMERS),
  ...listed(SALES),
  ...listed(EXPORTS),
  ...listed(PORTAL_PROGRAMS),
  ...listed(WEBHOOK_ENDPOINTS),
  ...listed(WEBHOOK_DELIVERIES),
  ...PORTAL_OPERATIONS,
  ...listed(PORTAL_AGREEMENT),
  ...listed(PORTAL_RESOURCES),
  ...listed(PORTAL_BALANCES),
  ...listed(PORTAL_EARNINGS),
  ...listed(PORTAL_PAYOUTS),
  ...listed(PARTNER_DETAILS),
  ...listed(NOTIFICATIONS),
  ...listed(NOTIFICATION_EMAILS),
  ...listed(PORTAL_NOTIFICATIONS),
  ...listed(ERASURE),
]

/** An owner who views the portal as a partner can call everything in it, but change nothing. */
export const OPERATIONS: Operation[] = LISTED.map((operation) =>
  operation.caller === 'partner' && operation.method !== 'get'
    ? { ...operation, refusals: [...operation.refusals, 'read_only_view'] }
    : operation,
)
