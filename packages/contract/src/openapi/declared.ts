import { WORKSPACE_SECURITY } from '../accounts/security-operations.ts'
import { AUDIT_LOG } from '../money/audit-operations.ts'
import { EVENTS } from '../outbox/event-operations.ts'
import { PORTAL_LINKS } from '../portal/portal-link-operations.ts'
import { API_KEYS } from '../programs/api-key-operations.ts'
import { GROUP_MEMBERS, GROUP_REWARDS, GROUPS } from '../programs/group-operations.ts'
import { LINK_IDS, LINKS } from '../programs/link-operations.ts'

export {
  API_KEYS,
  AUDIT_LOG,
  EVENTS,
  GROUP_MEMBERS,
  GROUP_REWARDS,
  GROUPS,
  LINK_IDS,
  LINKS,
  PORTAL_LINKS,
  WORKSPACE_SECURITY,
}

type Resource =
  | typeof API_KEYS
  | typeof AUDIT_LOG
  | typeof EVENTS
  | typeof GROUP_MEMBERS
  | typeof GROUP_REWARDS
  | typeof GROUPS
  | typeof LINK_IDS
  | typeof LINKS
  | typeof PORTAL_LINKS
  | typeof WORKSPACE_SECURITY

type EveryOf<Each> = Each extends unknown ? Each[keyof Each] : never
type Named<Each> = Each extends { method: infer Method extends string; path: infer Path extends string }
  ? { [Name in `${Method} ${Path}`]: Each }
  : never
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Every declared operation by its method and path. Only types: clients import no schemas. */
export type Declared = Merged<Named<EveryOf<Resource>>>
