import { ACCOUNT, SIGN_UP } from '../accounts/account-operations.ts'
import { SIGN_IN_OPERATIONS } from '../accounts/sign-in-operations.ts'
import {
  INVITATION_LINKS,
  INVITATIONS,
  ME,
  MEMBERS,
  WORKSPACE_SECURITY,
  WORKSPACES,
} from '../accounts/workspace-operations.ts'
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
import { AUDIT_LOG } from '../money/audit-operations.ts'
import { BALANCES } from '../money/balance-operations.ts'
import { COMMISSIONS } from '../money/commission-operations.ts'
import { HOLDS } from '../money/hold-operations.ts'
import { REFUNDS } from '../money/money-operations.ts'
import { MERCHANT_DETAILS, PAYOUT_DRAFTS, PAYOUT_LINES, PAYOUTS } from '../money/payout-operations.ts'
import { BACKTESTS, PARTNER_REWARDS, REWARDS } from '../money/reward-operations.ts'
import {
  NOTIFICATION_EMAILS,
  NOTIFICATIONS,
  PORTAL_NOTIFICATIONS,
  WAITING,
} from '../notifications/notification-operations.ts'
import { EVENTS } from '../outbox/event-operations.ts'
import { PARTNER_INVITATIONS, PORTAL_ACCESS } from '../portal/portal-access-operations.ts'
import { PORTAL_CODES } from '../portal/portal-code-operations.ts'
import { PORTAL_LINKS } from '../portal/portal-link-operations.ts'
import { PARTNER_DETAILS, PORTAL_BALANCES, PORTAL_EARNINGS, PORTAL_PAYOUTS } from '../portal/portal-money-operations.ts'
import { INVITED_SIGN_UP } from '../portal/portal-operations.ts'
import { PORTAL_PROGRAMS } from '../portal/portal-program-operations.ts'
import { PROCESSOR_CONNECTION, PROCESSOR_EVENTS, PROGRAM_PROCESSORS } from '../processor/processor-operations.ts'
import { PROCESSOR_WEBHOOKS } from '../processor/processor-webhooks.ts'
import { API_KEYS } from '../programs/api-key-operations.ts'
import { CODES } from '../programs/code-operations.ts'
import { GROUP_MEMBERS, GROUP_REWARDS, GROUPS } from '../programs/group-operations.ts'
import { LINKS } from '../programs/link-operations.ts'
import { BULK_PARTNERS, PARTNER_IDS, PARTNERS } from '../programs/partner-operations.ts'
import { PROGRAMS, SET_UP } from '../programs/program-operations.ts'
import { SEARCH, VIEWS } from '../programs/view-operations.ts'
import { REPORTS, TRACKING_EVENTS, TRACKING_STATUS } from '../tracking/report-operations.ts'
import { TRACKING_OPERATIONS } from '../tracking/tracking-operations.ts'
import { WEBHOOK_DELIVERIES, WEBHOOK_ENDPOINTS } from '../webhooks/webhook-operations.ts'

/**
 * Every resource, in the order of the OpenAPI document: its declared operations, or a list of operations that have routes of
 * their own. The document, the types of clients and the tests of all operations come from here.
 */
export const ALL_RESOURCES = [
  TRACKING_OPERATIONS,
  EVENTS,
  TRACKING_STATUS,
  TRACKING_EVENTS,
  REPORTS,
  SIGN_UP,
  ME,
  ACCOUNT,
  WORKSPACES,
  WORKSPACE_SECURITY,
  MEMBERS,
  INVITATIONS,
  INVITATION_LINKS,
  SIGN_IN_OPERATIONS,
  PROGRAMS,
  SET_UP,
  API_KEYS,
  PARTNERS,
  LINKS,
  CODES,
  GROUPS,
  GROUP_REWARDS,
  GROUP_MEMBERS,
  BRANDING,
  LOGO,
  AGREEMENT,
  RESOURCES,
  APPLICATION_FORM,
  APPLICATIONS,
  VIEWS,
  SEARCH,
  PARTNER_IDS,
  BULK_PARTNERS,
  REWARDS,
  BACKTESTS,
  PARTNER_REWARDS,
  COMMISSIONS,
  BALANCES,
  HOLDS,
  REFUNDS,
  AUDIT_LOG,
  PAYOUTS,
  PAYOUT_LINES,
  PAYOUT_DRAFTS,
  MERCHANT_DETAILS,
  ADJUSTMENTS,
  EXPLANATIONS,
  PROCESSOR_WEBHOOKS,
  PROGRAM_PROCESSORS,
  PROCESSOR_CONNECTION,
  PROCESSOR_EVENTS,
  CUSTOMERS,
  SALES,
  EXPORTS,
  PORTAL_PROGRAMS,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_DELIVERIES,
  PORTAL_ACCESS,
  PARTNER_INVITATIONS,
  INVITED_SIGN_UP,
  PORTAL_LINKS,
  PORTAL_CODES,
  PORTAL_AGREEMENT,
  PORTAL_RESOURCES,
  PORTAL_BALANCES,
  PORTAL_EARNINGS,
  PORTAL_PAYOUTS,
  PARTNER_DETAILS,
  WAITING,
  NOTIFICATIONS,
  NOTIFICATION_EMAILS,
  PORTAL_NOTIFICATIONS,
  ERASURE,
] as const

export * from '../accounts/workspace-operations.ts'
export * from '../branding/application-operations.ts'
export * from '../branding/branding-operations.ts'
export * from '../customers/customer-operations.ts'
export * from '../customers/erasure-operations.ts'
export * from '../explain/explain-operations.ts'
export * from '../money/adjustment-operations.ts'
export * from '../money/audit-operations.ts'
export * from '../money/balance-operations.ts'
export * from '../money/commission-operations.ts'
export * from '../money/hold-operations.ts'
export * from '../money/payout-operations.ts'
export * from '../money/reward-operations.ts'
export * from '../notifications/notification-operations.ts'
export * from '../outbox/event-operations.ts'
export * from '../portal/portal-access-operations.ts'
export * from '../portal/portal-code-operations.ts'
export * from '../portal/portal-link-operations.ts'
export * from '../portal/portal-money-operations.ts'
export * from '../portal/portal-program-operations.ts'
export * from '../processor/processor-operations.ts'
export * from '../programs/api-key-operations.ts'
export * from '../programs/code-operations.ts'
export * from '../programs/group-operations.ts'
export * from '../programs/link-operations.ts'
export * from '../programs/partner-operations.ts'
export * from '../programs/program-operations.ts'
export * from '../programs/view-operations.ts'
export * from '../tracking/report-operations.ts'
export * from '../webhooks/webhook-operations.ts'
