import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import { hasAddress } from '../../customers/customers.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { type EventTerms, type LockedTerms, requireLocked, termsOfEvent } from '../../money/rewards/reward-terms.ts'

export type RewardFacts = {
  /** Null if neither the partner nor the program had terms at the time. */
  terms: EventTerms | null
  /** Some terms of the program pay only a customer's first sale. */
  dependsOnFirstSale: boolean
  partnerStatus: PartnerStatus
  /** The customer is known by an address of the partner or of their account. */
  customerIsPartner: boolean
}

type CreditedEvent = { programId: number; partnerId: number; clickId: string; reward?: RewardFacts | undefined } & (
  | { saleId: number; soldAt: Date }
  | { settledAt: Date }
)

export type RewardRow = Omit<EventTerms, 'version'> & {
  position: number
  version: number | null
  dependsOnFirstSale: boolean | null
  status: PartnerStatus
  /** Of the partner and of who signs in as them. */
  emails: string[]
  customerKey: string | null
  /** Of the sale. A sale credited by click can name a key without a lead. */
  soldToKey?: string | null
  emailHash: Buffer | null
  mailboxHash: Buffer | null
}

/** SQL fragment: the partner's own addresses, those of the contact and of everyone who signs in as them. */
export const partnerAddresses = sql`array_remove(partners.email || ARRAY(
  SELECT account.email FROM partner_users account
  WHERE account.program_id = partners.program_id AND account.partner_id = partners.id), NULL)`

/** SQL fragment: share-locks the partners of the CTE `event` (program_id, partner_id) in a fixed order. */
export const lockedPartners = sql`
  SELECT locked.* FROM (SELECT DISTINCT program_id, partner_id FROM event ORDER BY program_id, partner_id) named
  CROSS JOIN LATERAL (
    SELECT program_id, id, status, ${partnerAddresses} AS emails
    FROM partners
    WHERE program_id = named.program_id AND id = named.partner_id FOR SHARE) locked`

/**
 * Fills in the facts that decide a commission, except the event itself. Partners are share-locked in a fixed order, so no event
 * earns under the old status after the call that suspends a partner is answered.
 */
export const loadRewardFacts = async (
  tx: Tx,
  hashKey: string,
  { lockedTerms, events }: { lockedTerms: LockedTerms; events: CreditedEvent[] },
) => {
  requireLocked(lockedTerms, events)
  const column = columnsOf(
    events.map(({ programId, partnerId, clickId, ...event }) => ({
      programId,
      partnerId,
      clickId,
      saleId: 'saleId' in event ? event.saleId : null,
      at: 'saleId' in event ? event.soldAt : event.settledAt,
    })),
  )
  const { rows } = await sql<RewardRow>`
    WITH event AS MATERIALIZED (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('clickId', 'text')},
        ${column('saleId', 'bigint')}, ${column('at', 'timestamptz')})
        WITH ORDINALITY AS event(program_id, partner_id, click_id, sale_id, at, position)),
    partner AS MATERIALIZED (${lockedPartners})
    SELECT position, terms.*, partner.status, partner.emails, customer.customer_key, customer.email_hash, customer.mailbox_hash,
      (SELECT sales.customer_key FROM sales WHERE sales.program_id = event.program_id AND sales.id = event.sale_id) AS sold_to_key
    FROM event JOIN partner ON partner.program_id = event.program_id AND partner.id = event.partner_id
    LEFT JOIN customers customer ON customer.program_id = event.program_id AND customer.click_id = event.click_id
    LEFT JOIN LATERAL (${termsOfEvent}) terms ON true`.execute(tx)
  if (rows.length < events.length) throw new Error('The credited partner does not exist in the program')
  for (const row of rows) {
    const event = events[row.position - 1]
    if (event) event.reward = toRewardFacts(hashKey, row)
  }
}

export const toRewardFacts = (hashKey: string, row: Omit<RewardRow, 'position'>): RewardFacts => {
  const { status, emails, dependsOnFirstSale, version, customerKey, soldToKey = null } = row
  return {
    terms: version === null ? null : toTerms({ ...row, version }),
    dependsOnFirstSale: dependsOnFirstSale ?? false,
    partnerStatus: status,
    customerIsPartner: hasAddress(hashKey, { ...row, keys: [customerKey, soldToKey] }, emails),
  }
}

/** Without the other columns of the row. */
const toTerms = (row: EventTerms): EventTerms => {
  const { version, currency, leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths } = row
  const { holdDays, minimumPayoutCents, validFrom } = row
  return {
    version,
    currency,
    leadAmountCents,
    salePercentBps,
    saleAmountCents,
    saleDuration,
    saleMonths,
    holdDays,
    minimumPayoutCents,
    validFrom,
  }
}
