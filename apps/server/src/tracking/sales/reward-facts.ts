import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import { keepEmail } from '../../customers/emails.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import { inPlace } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { type HeldTerms, type StoredTerms, termsOfEvent } from '../../money/rewards/reward-terms.ts'

type CreditedEvent = { programId: number; partnerId: number; clickId: string; at: Date }

export type RewardFacts = {
  /** Null where neither the partner nor the program had any at the time. */
  terms: StoredTerms | null
  /** Some terms of the program depend on which sale of a customer was the first. */
  asksForFirst: boolean
  partnerStatus: PartnerStatus
  /** The customer signed up with the partner's e-mail address. */
  customerIsPartner: boolean
}

type Row = Omit<StoredTerms, 'version'> & {
  nth: number
  version: number | null
  asksForFirst: boolean | null
  status: PartnerStatus
  email: string | null
  emailHash: Buffer | null
}

/**
 * Everything but the event itself that decides what a credited event earns. The partners stay share-locked to the end of the
 * transaction, in one order for all: once the call that suspends a partner is answered, no later event earns as before.
 */
export const loadRewardFacts = async (
  tx: Tx,
  hashKey: string,
  { held, events }: { held: HeldTerms; events: CreditedEvent[] },
): Promise<RewardFacts[]> => {
  if (!events.every(({ programId }) => held.programIds.has(programId)))
    throw new Error('terms are held before they apply')
  const column = columnsOf(events)
  const { rows } = await sql<Row>`
    WITH event AS MATERIALIZED (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('clickId', 'text')},
        ${column('at', 'timestamptz')}) WITH ORDINALITY AS event(program_id, partner_id, click_id, at, nth)),
    partner AS MATERIALIZED (
      SELECT locked.* FROM (SELECT DISTINCT program_id, partner_id FROM event ORDER BY program_id, partner_id) named
      CROSS JOIN LATERAL (
        SELECT program_id, id, status, email FROM partners
        WHERE program_id = named.program_id AND id = named.partner_id FOR SHARE) locked)
    SELECT nth, terms.*, partner.status, partner.email, (
      SELECT customers.email_hash FROM customers
      WHERE customers.program_id = event.program_id AND customers.click_id = event.click_id)
    FROM event JOIN partner ON partner.program_id = event.program_id AND partner.id = event.partner_id
    LEFT JOIN LATERAL (${termsOfEvent}) terms ON true`.execute(tx)
  return inPlace(rows, events).map((row) => {
    if (!row) throw new Error('an event is credited to a partner of its program')
    const { status, email, emailHash, asksForFirst, ...terms } = row
    return {
      terms: terms.version === null ? null : (terms as StoredTerms),
      asksForFirst: asksForFirst ?? false,
      partnerStatus: status,
      customerIsPartner: emailHash !== null && (keepEmail(hashKey, email)?.hash.equals(emailHash) ?? false),
    }
  })
}
