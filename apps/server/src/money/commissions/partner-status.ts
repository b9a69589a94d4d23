import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

type Key = { programId: number; partnerId: number }

/**
 * Reads and share-locks the partner's status until the transaction ends: suspending a partner waits for transactions that saw them
 * approved, and later transactions wait for the suspension to commit.
 */
export const lockPartnerStatus = async (tx: Tx, { programId, partnerId }: Key): Promise<PartnerStatus> => {
  const status = (await partnerStatuses(tx, { programId, partnerIds: [partnerId], lock: true })).get(partnerId)
  if (!status) throw new Error(`partner ${partnerId} is not in program ${programId}`)
  return status
}

type Partners = {
  programId: number
  partnerIds: number[]
  /** Share-locks the rows until the transaction ends. Lock partners before accounts. */
  lock?: boolean
}

export const partnerStatuses = async (tx: Tx, { programId, partnerIds, lock = false }: Partners) => {
  const { rows } = await sql<{ id: number; status: PartnerStatus }>`
    SELECT id, status FROM partners WHERE program_id = ${programId} AND id = ANY (${partnerIds}::integer[])
    ORDER BY id ${lock ? sql`FOR SHARE` : sql``}`.execute(tx)
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** Only approved partners are paid. */
export const approvedPartners = async (tx: Tx, partners: Partners) => {
  const statuses = await partnerStatuses(tx, partners)
  return new Set([...statuses].filter(([, status]) => status === 'approved').map(([id]) => id))
}
