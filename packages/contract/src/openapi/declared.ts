import type { WORKSPACE_SECURITY } from '../accounts/security-operations.ts'
import type { AUDIT_LOG } from '../money/audit-operations.ts'
import type { EVENTS } from '../outbox/event-operations.ts'
import type { PORTAL_LINKS } from '../portal/portal-link-operations.ts'
import type { API_KEYS } from '../programs/api-key-operations.ts'
import type { GROUPS } from '../programs/group-operations.ts'
import type { LINK_IDS, LINKS } from '../programs/link-operations.ts'

type Resource =
  | typeof API_KEYS
  | typeof AUDIT_LOG
  | typeof EVENTS
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
