import { sql } from 'kysely'
import type { Click } from '../../attribution/candidates.ts'
import { customerOfKey, type KnownCustomer } from '../../customers/customers.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { relevantClicks } from '../../events/clicks-of-record.ts'
import { type LockedTerms, sharedTermsLock } from '../../money/rewards/reward-terms.ts'

type NamedSale = { programId: number; customerKey: string; soldAt: Date }
export type Buyer = { customer: KnownCustomer; clicks: Click[] }

type Row = KnownCustomer & {
  nth: number
  seenId: string | null
  seenLinkId: number
  seenPartnerId: number
  seenAt: Date
}

/**
 * Loads the customers with these keys and the clicks that count at the time of each sale. Also locks the programs' reward terms,
 * which saves every sale a round trip. The key lock makes an erasure wait, so that it finds the sale.
 */
export const loadBuyers = async (
  tx: Tx,
  sales: NamedSale[],
): Promise<{ buyers: (Buyer | undefined)[]; lockedTerms: LockedTerms }> => {
  const programIds = sales.map(({ programId }) => programId)
  const column = columnsOf(sales)
  const { rows } = await sql<Row>`
    WITH locked AS MATERIALIZED (${sharedTermsLock(programIds)})
    SELECT record.*, click.id AS seen_id, click.link_id AS seen_link_id, click.partner_id AS seen_partner_id,
      click.clicked_at AS seen_at
    FROM (
      SELECT nth, sold_at AS at, input.program_id, customer.* FROM (SELECT count(*) FROM locked) lock_count,
        unnest(${column('programId', 'integer')}, ${column('customerKey', 'text')}, ${column('soldAt', 'timestamptz')})
          WITH ORDINALITY AS input(program_id, customer_key, sold_at, nth)
        CROSS JOIN LATERAL (${customerOfKey(sql`FOR KEY SHARE`)}) customer) record
    LEFT JOIN LATERAL (${relevantClicks}) click ON true
    ORDER BY nth, click.clicked_at, click.id`.execute(tx)
  const bySale = Map.groupBy(rows, ({ nth }) => nth)
  return {
    buyers: sales.map((_, index) => toBuyer(bySale.get(index + 1) ?? [])),
    lockedTerms: { programIds: new Set(programIds) },
  }
}

const toBuyer = (rows: Row[]): Buyer | undefined => {
  const [customer] = rows
  const clicks = rows.flatMap(({ seenId: id, seenLinkId: linkId, seenPartnerId: partnerId, seenAt: clickedAt }) =>
    id === null ? [] : [{ id, linkId, partnerId, clickedAt }],
  )
  return customer && { customer, clicks }
}
