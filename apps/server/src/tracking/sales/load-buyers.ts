import { sql } from 'kysely'
import type { Click } from '../../attribution/candidates.ts'
import { customerOfKey, type KnownCustomer } from '../../customers/customers.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { relevantClicks } from '../../events/clicks-of-record.ts'
import { type LockedTerms, requireLocked, termsOfEvent } from '../../money/rewards/reward-terms.ts'
import { lockedPartners, type RewardFacts, type RewardRow, toRewardFacts } from '../commissions/reward-facts.ts'

type NamedSale = { programId: number; customerKey: string; soldAt: Date }
export type Buyer = { customer: KnownCustomer; clicks: Click[]; reward: RewardFacts }

type Row = KnownCustomer &
  RewardRow & {
    seenId: string | null
    seenLinkId: number
    seenPartnerId: number
    seenAt: Date
  }

/**
 * Loads the customers with these keys, the clicks that count at the time of each sale, and what decides the commission of the
 * customer's partner. The key lock makes an erasure wait, so that it finds the sale. Share-locks the partners.
 */
export const loadBuyers = async (
  tx: Tx,
  hashKey: string,
  { lockedTerms, sales }: { lockedTerms: LockedTerms; sales: NamedSale[] },
): Promise<(Buyer | undefined)[]> => {
  requireLocked(lockedTerms, sales)
  const column = columnsOf(sales)
  const { rows } = await sql<Row>`
    WITH event AS MATERIALIZED (
      SELECT nth, sold_at AS at, input.program_id, customer.*
      FROM unnest(${column('programId', 'integer')}, ${column('customerKey', 'text')}, ${column('soldAt', 'timestamptz')})
        WITH ORDINALITY AS input(program_id, customer_key, sold_at, nth)
      CROSS JOIN LATERAL (${customerOfKey(sql`FOR KEY SHARE`)}) customer),
    partner AS MATERIALIZED (${lockedPartners})
    SELECT record.*, terms.*, partner.status, partner.emails, click.id AS seen_id, click.link_id AS seen_link_id,
      click.partner_id AS seen_partner_id, click.clicked_at AS seen_at
    FROM event CROSS JOIN LATERAL (SELECT event.*) record
    JOIN partner ON partner.program_id = event.program_id AND partner.id = event.partner_id
    LEFT JOIN LATERAL (${termsOfEvent}) terms ON true
    LEFT JOIN LATERAL (${relevantClicks}) click ON true
    ORDER BY nth, click.clicked_at, click.id`.execute(tx)
  const bySale = Map.groupBy(rows, ({ nth }) => nth)
  return sales.map((_, index) => toBuyer(hashKey, bySale.get(index + 1) ?? []))
}

const toBuyer = (hashKey: string, rows: Row[]): Buyer | undefined => {
  const [first] = rows
  if (!first) return undefined
  const clicks = rows.flatMap(({ seenId: id, seenLinkId: linkId, seenPartnerId: partnerId, seenAt: clickedAt }) =>
    id === null ? [] : [{ id, linkId, partnerId, clickedAt }],
  )
  return { customer: first, clicks, reward: toRewardFacts(hashKey, first) }
}
