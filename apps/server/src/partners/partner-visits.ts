import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import type { PartnerKey } from './payout-details.ts'

/** SQL fragment: whether this hash of a click is that of a network which the partner of `event` used on the same day. */
export const isVisit = (hash: RawBuilder<unknown>) => sql`EXISTS (
  SELECT FROM partner_visits visit
  WHERE visit.program_id = event.program_id AND visit.partner_id = event.partner_id AND visit.visitor_hash = ${hash})`

/** SQL fragment: the same of the lead of `event`. The second customer of a click has a lead, but no clicks. */
export const isLeadOfVisit = sql`EXISTS (
  SELECT FROM leads WHERE leads.program_id = event.program_id AND leads.click_id = event.click_id AND ${isVisit(sql`leads.visitor_hash`)})`

/** SQL fragment: the same of all clicks of `event` (click_id) between the times of its record `customer`. */
export const isSeenAsPartner = sql`(${isLeadOfVisit} OR EXISTS (
  SELECT FROM click_events click
  WHERE click.program_id = event.program_id AND click.click_id = event.click_id
    AND click.clicked_at BETWEEN customer.first_clicked_at - interval '1 day' AND customer.last_clicked_at + interval '1 day'
    AND ${isVisit(sql`click.visitor_hash`)}))`

/** `visitorHash` is a bytea literal. */
type Visit = PartnerKey & { visitorHash: string }

const hashOf = ({ visitorHash }: Visit) => sql<Buffer>`${visitorHash}::bytea`

export const findVisit = (db: Database | Tx, { programId, partnerId, ...visit }: Visit) =>
  db
    .selectFrom('partnerVisits')
    .select('seenAt')
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .where('visitorHash', '=', hashOf({ programId, partnerId, ...visit }))
    .executeTakeFirst()

/** Stores that the partner used this network on the hash's day. */
export const addVisit = (tx: Tx, { at, ...visit }: Visit & { at: Date }) =>
  tx
    .insertInto('partnerVisits')
    .values({ programId: visit.programId, partnerId: visit.partnerId, visitorHash: hashOf(visit), seenAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Hashes are compared with those of clicks, which are purged after the same time. */
export const purgeVisits = (db: Database, before: Date) =>
  db.deleteFrom('partnerVisits').where('seenAt', '<', before).execute()
