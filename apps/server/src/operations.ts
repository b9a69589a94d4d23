import { invitationLinks, invitations } from './accounts/operations/invitations.ts'
import { me } from './accounts/operations/me.ts'
import { members } from './accounts/operations/members.ts'
import { workspaceSecurity } from './accounts/operations/workspace-security.ts'
import { workspaces } from './accounts/operations/workspaces.ts'
import { auditLog } from './audit/operations/audit-log.ts'
import { customers } from './customers/operations/customers.ts'
import { erasure } from './customers/operations/erasure.ts'
import { trackingEvents } from './events/operations/events.ts'
import { reports } from './events/operations/reports.ts'
import { explanations } from './explain/operations/explain.ts'
import type { Dependencies } from './http/context.ts'
import { adjustments } from './money/operations/adjustments.ts'
import { backtests } from './money/operations/backtests.ts'
import { balances } from './money/operations/balances.ts'
import { commissions } from './money/operations/commissions.ts'
import { holds } from './money/operations/holds.ts'
import { payoutDrafts } from './money/operations/payout-drafts.ts'
import { payoutLines } from './money/operations/payout-lines.ts'
import { payouts } from './money/operations/payouts.ts'
import { portalBalances, portalEarnings } from './money/operations/portal-earnings.ts'
import { portalPayouts } from './money/operations/portal-payouts.ts'
import { partnerRewards, rewards } from './money/operations/rewards.ts'
import { notificationEmails } from './notifications/operations/notification-emails.ts'
import { notifications, portalNotifications } from './notifications/operations/notifications.ts'
import { waiting } from './notifications/operations/waiting.ts'
import { events } from './outbox/operations/events.ts'
import { applications } from './partners/operations/applications.ts'
import { bulkPartners, partnerIds } from './partners/operations/bulk-partners.ts'
import { codes } from './partners/operations/codes.ts'
import { groupMembers, groupRewards } from './partners/operations/group-rewards.ts'
import { groups } from './partners/operations/groups.ts'
import { links } from './partners/operations/links.ts'
import { partnerInvitations } from './partners/operations/partner-invitations.ts'
import { partners } from './partners/operations/partners.ts'
import { portalAccess } from './partners/operations/portal-access.ts'
import { portalAgreement } from './partners/operations/portal-agreement.ts'
import { portalCodes } from './partners/operations/portal-codes.ts'
import { portalDetails } from './partners/operations/portal-details.ts'
import { portalLinks } from './partners/operations/portal-links.ts'
import { portalPrograms } from './partners/operations/portal-programs.ts'
import type { Operations } from './platform/runs.ts'
import { processorConnection } from './processor/operations/connection.ts'
import { processorEvents } from './processor/operations/events.ts'
import { programProcessors } from './processor/operations/processors.ts'
import { agreement } from './programs/operations/agreement.ts'
import { apiKeys } from './programs/operations/api-keys.ts'
import { applicationForm } from './programs/operations/application-form.ts'
import { branding, logo } from './programs/operations/branding.ts'
import { exports } from './programs/operations/exports.ts'
import { merchantDetails } from './programs/operations/legal-details.ts'
import { programs } from './programs/operations/programs.ts'
import { portalResources, resources } from './programs/operations/resources.ts'
import { sales } from './sales/operations/sales.ts'
import { setUp } from './tracking/operations/set-up.ts'
import { trackingStatus } from './tracking/operations/tracking-status.ts'
import { search } from './views/operations/search.ts'
import { views } from './views/operations/views.ts'
import { webhookDeliveries } from './webhooks/operations/deliveries.ts'
import { webhookEndpoints } from './webhooks/operations/endpoints.ts'

/** All operations. */
export const allOperations = (dependencies: Dependencies): Operations => [
  ...me,
  ...workspaces(dependencies),
  ...workspaceSecurity,
  ...members(dependencies),
  ...invitations(dependencies),
  ...invitationLinks(dependencies),
  ...programs,
  ...setUp,
  ...apiKeys(dependencies),
  ...groups,
  ...groupRewards(dependencies),
  ...groupMembers,
  ...links,
  ...codes(dependencies),
  ...partnerIds,
  ...bulkPartners(dependencies),
  ...partners(dependencies),
  ...portalAccess(dependencies),
  ...partnerInvitations,
  ...portalLinks,
  ...portalCodes,
  ...branding,
  ...logo,
  ...agreement,
  ...resources,
  ...applicationForm,
  ...applications(dependencies),
  ...portalPrograms(dependencies),
  ...portalAgreement,
  ...portalResources,
  ...rewards(dependencies),
  ...partnerRewards,
  ...backtests(),
  ...commissions(dependencies),
  ...balances,
  ...holds,
  ...adjustments(dependencies),
  ...payouts(dependencies),
  ...payoutLines,
  ...payoutDrafts(dependencies),
  ...merchantDetails,
  ...portalBalances,
  ...portalEarnings,
  ...portalPayouts,
  ...portalDetails(dependencies),
  ...auditLog,
  ...events(dependencies),
  ...erasure(dependencies),
  ...views,
  ...search(dependencies),
  ...programProcessors(dependencies),
  ...processorConnection(dependencies),
  ...processorEvents(dependencies),
  ...trackingStatus,
  ...trackingEvents(dependencies),
  ...reports(dependencies),
  ...explanations,
  ...customers(dependencies),
  ...sales(dependencies),
  ...exports(dependencies),
  ...webhookEndpoints(dependencies),
  ...webhookDeliveries,
  ...waiting,
  ...notifications(dependencies),
  ...notificationEmails(dependencies),
  ...portalNotifications(dependencies),
]
