import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

type Key = { programId: number; partnerId: number }

/**
 * The status of a partner, share-locked to the end of the transaction: the call that suspends a partner waits for transactions that
 * still saw them approved, and later ones wait for its commit.
 */
export const holdPartnerStatus = async (tx: Tx, { programId, partnerId }: Key): Promise<PartnerStatus> => {
  const status = (await partnerStatuses(tx, { programId, partnerIds: [partnerId], isHeld: true })).get(partnerId)
  if (!status) throw new Error('a commission belongs to a partner of its program')
  return status
}

/** `isHeld`: share-locked, so that none of them changes before the transaction ends. Taken before the accounts, as earning does. */
type Asked = { programId: number; partnerIds: number[]; isHeld?: boolean }

export const partnerStatuses = async (tx: Tx, { programId, partnerIds, isHeld = false }: Asked) => {
  const { rows } = await sql<{ id: number; status: PartnerStatus }>`
    SELECT id, status FROM partners WHERE program_id = ${programId} AND id = ANY (${partnerIds}::integer[])
    ORDER BY id ${isHeld ? sql`FOR SHARE` : sql``}`.execute(tx)
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** Only approved partners are paid: pending ones wait for approval, suspended and rejected ones until they are reinstated. */
export const approvedPartners = async (tx: Tx, asked: Asked) => {
  const statuses = await partnerStatuses(tx, asked)
  return new Set([...statuses].filter(([, status]) => status === 'approved').map(([id]) => id))
}
