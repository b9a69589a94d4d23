import { sql } from 'kysely'
import type { StoredEmail } from '../../customers/customers.ts'
import { nextLeadId, provisionalLeadId } from '../../customers/leads.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import { leadPaidBefore } from '../../database/sql/paid-before.ts'
import type { Tx } from '../../database/transaction.ts'
import { termsOfEvent } from '../../money/rewards/reward-terms.ts'
import { lockedPartners, type RewardFacts, type RewardRow, toRewardFacts } from '../commissions/reward-facts.ts'

type NewLead = {
  programId: number
  partnerId: number
  clickId: string
  customerKey: string
  email: StoredEmail | null
  at: Date
  timezone: string
  visitorHash: Uint8Array | null
  erasedKeyHash: Buffer
}

export type LoadedLead = {
  leadId: number
  /** A browser has reported the lead, which did not settle it. */
  isProvisional: boolean
  reward: RewardFacts
  /** The visitor's leads on that day, including this one. */
  leadsOfVisitor: number
  /** Sales with the customer's key wait for a lead. */
  hasWaitingSales: boolean
  /** A sale with only a click ID is already credited to the click. */
  hasBought: boolean
  /** A sale with the customer's key is already credited to a click. */
  isSoldByClick: boolean
  /** An erased customer with the same key earned a lead commission. */
  rewardedBefore: boolean
  /** An erased customer with the same key already bought something. */
  hasBoughtBefore: boolean
}

type Row = Omit<RewardRow, 'customerKey' | 'emailHash' | 'mailboxHash'> &
  Omit<LoadedLead, 'reward' | 'rewardedBefore' | 'hasBoughtBefore'> & {
    day: string
    rewardedBefore: boolean | null
    hasBoughtBefore: boolean | null
  }

const namesOf = ({ customerKey, email }: NewLead) => ({
  customerKey,
  emailHash: email?.hash ?? null,
  mailboxHash: email?.mailboxHash ?? null,
})

/** High enough to flag a visitor, low enough to count for every lead. */
const MAX_COUNTED = 100

/**
 * Fills in everything that new leads depend on, and their IDs, in one statement. The caller holds the locks on the keys, the clicks
 * and the reward terms, so no sale or lead of these customers can be missed. Share-locks the partners.
 */
export const loadLeadFacts = async <Lead extends NewLead>(
  tx: Tx,
  hashKey: string,
  leads: Lead[],
): Promise<(Lead & LoadedLead)[]> => {
  const column = columnsOf<NewLead>(leads)
  const { rows } = await sql<Row>`
    WITH event AS MATERIALIZED (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('clickId', 'text')},
        ${column('customerKey', 'text')}, ${column('at', 'timestamptz')}, ${column('timezone', 'text')},
        ${column('visitorHash', 'bytea')}, ${column('erasedKeyHash', 'bytea')})
        WITH ORDINALITY AS event(program_id, partner_id, click_id, customer_key, at, timezone, visitor_hash, key_hash, position)),
    partner AS MATERIALIZED (${lockedPartners})
    SELECT position, local_day AS day, terms.*, partner.status, partner.emails, erased.*,
      coalesce(${provisionalLeadId}, ${nextLeadId}) AS lead_id, ${provisionalLeadId} IS NOT NULL AS is_provisional,
      (SELECT count(*) FROM (
        SELECT FROM leads WHERE leads.program_id = event.program_id AND leads.visitor_hash = event.visitor_hash
          AND leads.day = local_day LIMIT ${sql.lit(MAX_COUNTED)}) lead) AS leads_of_visitor,
      EXISTS (SELECT FROM sales WHERE sales.program_id = event.program_id AND sales.customer_key = event.customer_key
        AND sales.click_id IS NULL AND sales.voided_at IS NULL) AS has_waiting_sales,
      EXISTS (SELECT FROM sales WHERE sales.program_id = event.program_id AND sales.click_id = event.click_id
        AND sales.voided_at IS NULL) AS has_bought,
      EXISTS (SELECT FROM sales WHERE sales.program_id = event.program_id AND sales.customer_key = event.customer_key
        AND sales.click_id IS NOT NULL AND sales.voided_at IS NULL) AS is_sold_by_click
    FROM event JOIN partner ON partner.program_id = event.program_id AND partner.id = event.partner_id
    CROSS JOIN LATERAL (SELECT (event.at AT TIME ZONE event.timezone)::date AS local_day) local
    LEFT JOIN LATERAL (${termsOfEvent}) terms ON true
    LEFT JOIN LATERAL (
      SELECT ${leadPaidBefore('earlier')} AS rewarded_before, num_nonnulls(first_sold_at, unpaid_sold_at) > 0 AS has_bought_before
      FROM (SELECT program_id, lead_rewarded AS rewarded_before, lead_unpaid AS unpaid_before, first_sold_at, unpaid_sold_at
        FROM erased_customers WHERE erased_customers.program_id = event.program_id
          AND erased_customers.key_hash = event.key_hash) earlier) erased ON true`.execute(tx)
  const found = new Map(rows.map((row) => [row.position, row]))
  const earlier = new Map<string, number>()
  return leads.map((lead, index) => {
    const row = found.get(index + 1)
    if (!row) throw new Error('The credited partner does not exist in the program')
    const { leadId, isProvisional, leadsOfVisitor, hasWaitingSales, hasBought, isSoldByClick, day, ...rest } = row
    const { rewardedBefore, hasBoughtBefore, ...reward } = rest
    const visitor = lead.visitorHash && `${lead.programId} ${day} ${lead.visitorHash.toHex()}`
    const earlierInBatch = earlier.get(visitor ?? '') ?? 0
    if (visitor) earlier.set(visitor, earlierInBatch + 1)
    return Object.assign(lead, {
      leadId,
      isProvisional,
      hasWaitingSales,
      hasBought,
      isSoldByClick,
      reward: toRewardFacts(hashKey, { ...reward, ...namesOf(lead) }),
      leadsOfVisitor: visitor ? leadsOfVisitor + earlierInBatch + 1 : 0,
      rewardedBefore: rewardedBefore ?? false,
      hasBoughtBefore: hasBoughtBefore ?? false,
    })
  })
}
