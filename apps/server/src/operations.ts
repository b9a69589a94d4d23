import { workspaceSecurity } from './accounts/operations/workspace-security.ts'
import { auditLog } from './audit/operations/audit-log.ts'
import type { Dependencies } from './http/context.ts'
import { events } from './outbox/operations/events.ts'
import { groupMembers, groupRewards } from './partners/operations/group-rewards.ts'
import { groups } from './partners/operations/groups.ts'
import { linkIds, links } from './partners/operations/links.ts'
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
  ...portalLinks,
  ...auditLog,
  ...events(dependencies),
]
