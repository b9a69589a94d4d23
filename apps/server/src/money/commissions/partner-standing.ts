import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import { forOne, inPlace } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'

type Key = { programId: number; partnerId: number }

/**
 * The status of a partner, share-locked until the transaction ends: the call that suspends a partner waits for transactions that
 * still saw them approved, and those that follow wait for its commit. Once it has been answered, no later sale earns normally.
 */
export const holdPartnerStatuses = async (tx: Database | Tx, keys: Key[]): Promise<PartnerStatus[]> => {
  const column = columnsOf(keys)
  // Locked in one order, each row once, before they are matched with the requests.
  const { rows } = await sql<{ nth: number; status: PartnerStatus }>`
    WITH held AS MATERIALIZED (
      SELECT partner.* FROM (
        SELECT DISTINCT program_id, partner_id
        FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}) AS named(program_id, partner_id)
        ORDER BY program_id, partner_id) named
      CROSS JOIN LATERAL (
        SELECT program_id, id, status FROM partners WHERE program_id = named.program_id AND id = named.partner_id FOR SHARE) partner)
    SELECT nth, held.status
    FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}) WITH ORDINALITY AS named(program_id, partner_id, nth)
    JOIN held ON held.program_id = named.program_id AND held.id = named.partner_id`.execute(tx)
  return inPlace(rows, keys).map((row) => {
    if (!row) throw new Error('a commission belongs to a partner of its program')
    return row.status
  })
}

export const holdPartnerStatus = forOne(holdPartnerStatuses)

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
