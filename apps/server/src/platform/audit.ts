import { recordAudit } from '../audit/audit-log.ts'
import type { Tx } from '../database/transaction.ts'

/** What the audit log says about a change. Who made it, and where, is added. */
export type AuditedChange = { action: string; subject: string; before?: unknown; after?: unknown; at: Date }

/** Adds an entry to the audit log, in the transaction of the change. */
export type Audit = (tx: Tx, change: AuditedChange) => Promise<void>

type Place = { programId: number } | { workspaceId: string }
type Author = { userId: string | null; byPartnerId?: number }

export const auditFor =
  (place: Place, author: Author): Audit =>
  (tx, change) =>
    recordAudit(tx, { ...place, ...author, ...change })
