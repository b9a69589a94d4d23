import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import type { PartnerKey } from '../partners/payout-details.ts'

const VIEW_MS = 30 * 60_000

/** Opens the portal as a partner in this session, for 30 minutes. Replaces the session's earlier view. */
export const startView = async (
  tx: Tx,
  { sessionId, programId, partnerId, at }: PartnerKey & { sessionId: string; at: Date },
) => {
  const endsAt = new Date(at.getTime() + VIEW_MS)
  await tx
    .updateTable('sessions')
    .set({ viewedProgramId: programId, viewedPartnerId: partnerId, viewEndsAt: endsAt })
    .where('id', '=', sessionId)
    .execute()
  return endsAt
}

export const endView = (tx: Tx, { sessionId, programId, partnerId }: PartnerKey & { sessionId: string }) =>
  tx
    .updateTable('sessions')
    .set({ viewedProgramId: null, viewedPartnerId: null, viewEndsAt: null })
    .where('id', '=', sessionId)
    .where('viewedProgramId', '=', programId)
    .where('viewedPartnerId', '=', partnerId)
    .execute()

/** The partner that the session views, unless the time is over. */
export const findView = async (db: Database, { sessionId, at }: { sessionId: string; at: Date }) => {
  const row = await db
    .selectFrom('sessions')
    .select(['viewedProgramId', 'viewedPartnerId', 'viewEndsAt'])
    .where('id', '=', sessionId)
    .where('viewEndsAt', '>', at)
    .executeTakeFirst()
  if (!row?.viewedProgramId || !row.viewedPartnerId || !row.viewEndsAt) return null
  return { programId: row.viewedProgramId, partnerId: row.viewedPartnerId, endsAt: row.viewEndsAt }
}
