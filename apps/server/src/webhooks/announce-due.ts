import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

/** Channel that wakes the workers of all processes. */
export const DELIVERIES_DUE = 'webhook_deliveries_due'

/** Takes effect with the commit. Workers also look every second, so a lost notification only delays. */
export const announceDue = (tx: Tx) => sql`SELECT pg_notify(${DELIVERIES_DUE}, '')`.execute(tx)

/** The same, for an endpoint whose settings changed: workers return what they hold for it, and claim it again with the new ones. */
export const announceChanged = (tx: Tx, { programId, id }: { programId: number; id: number }) =>
  sql`SELECT pg_notify(${DELIVERIES_DUE}, ${`${programId} ${id}`})`.execute(tx)
