import { workspaceSecurity } from './accounts/operations/workspace-security.ts'
import { auditLog } from './audit/operations/audit-log.ts'
import type { Dependencies } from './http/context.ts'
import { events } from './outbox/operations/events.ts'
import { bulkPartners, partnerIds } from './partners/operations/bulk-partners.ts'
import { groupMembers, groupRewards } from './partners/operations/group-rewards.ts'
import { groups } from './partners/operations/groups.ts'
import { linkIds, links } from './partners/operations/links.ts'
import { partnerInvitations } from './partners/operations/partner-invitations.ts'
import { partners } from './partners/operations/partners.ts'
import { portalAccess } from './partners/operations/portal-access.ts'
import { portalLinks } from './partners/operations/portal-links.ts'
import type { Operations } from './platform/runs.ts'
import { apiKeys } from './programs/operations/api-keys.ts'

/** Everything that callers can do, except tracking and sign-in. */
export const allOperations = (dependencies: Dependencies): Operations => [
  ...workspaceSecurity,
  ...apiKeys(dependencies),
  ...groups,
  ...groupRewards(dependencies),
  ...groupMembers,
  ...linkIds,
  ...links,
  ...partnerIds,
  ...bulkPartners(dependencies),
  ...partners(dependencies),
  ...portalAccess(dependencies),
  ...partnerInvitations,
  ...portalLinks,
  ...auditLog,
  ...events(dependencies),
]
