import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { columnsOf, type Parts } from '../database/sql/columns.ts'
import { forOne, putFound } from '../database/sql/many.ts'
import { firstSoldBefore, leadPaidBefore } from '../database/sql/paid-before.ts'
import type { Tx } from '../database/transaction.ts'
import { insertEvents, isoTime } from '../outbox/events.ts'
import type { CustomerId } from './customers.ts'

export type FoundLead = { id: number; state: string; settledAt: Date | null }

/** Fills in the lead of each click. */
export const findLeadsByClick = async (
  db: Database | Tx,
  clicks: (CustomerId & { lead?: FoundLead | undefined })[],
) => {
  const column = columnsOf(clicks)
  const { rows } = await sql<FoundLead & { position: number }>`
    SELECT position, lead.* FROM unnest(${column('programId', 'integer')},
      ${column('clickId', 'text')}) WITH ORDINALITY AS input(program_id, click_id, position)
    CROSS JOIN LATERAL (
      SELECT id, state, settled_at FROM leads
      WHERE leads.program_id = input.program_id AND leads.click_id = input.click_id LIMIT 1) lead`.execute(db)
  putFound(clicks, 'lead', rows)
}

export const findLeadByClick = forOne(findLeadsByClick, 'lead')

type Click = CustomerId & { canSettle?: boolean }

/** Fills in whether the click exists and has no settled lead, which never changes again. */
export const checkClicks = async (tx: Tx, clicks: Click[]) => {
  if (clicks.length === 0) return
  const column = columnsOf(clicks)
  const { rows } = await sql<{ position: number }>`
    SELECT position FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')})
      WITH ORDINALITY AS input(program_id, click_id, position)
    JOIN customers record ON record.program_id = input.program_id AND record.click_id = input.click_id
    WHERE NOT EXISTS (SELECT FROM leads
      WHERE leads.program_id = input.program_id AND leads.click_id = input.click_id AND leads.state = 'settled')`.execute(
    tx,
  )
  for (const { position } of rows) (clicks[position - 1] as Click).canSettle = true
}

export const lockLeadByClick = (tx: Tx, { programId, clickId }: CustomerId) =>
  tx
    .selectFrom('leads')
    .select([
      'id',
      'partnerId',
      'settledAt',
      'settledBy',
      'confirmedAt',
      'day',
      'visitorHash',
      'rewardedBefore',
      'unpaidBefore',
    ])
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .forUpdate()
    .executeTakeFirst()

type Lead = CustomerId & { creditSource: string; linkId: number | null; codeId: number | null; partnerId: number }

/** Returns the ID of the new lead, or null if the click already has one. */
export const storeProvisionalLead = async (tx: Tx, lead: Lead & { at: Date }) => {
  const { at: createdAt, ...values } = lead
  const row = await tx
    .insertInto('leads')
    .values({ ...values, createdAt, state: 'provisional' })
    .onConflict((conflict) => conflict.columns(['programId', 'clickId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

type Settlement = Lead & {
  /** Of the provisional lead, or from `nextLeadId`. */
  leadId: number
  at: Date
  /** Time zone that determines `day`. */
  timezone: string
  settledBy: 'server' | 'browser' | 'processor'
  visitorHash: Uint8Array | null
  /** Recognizes an erased customer with the same key. */
  erasedKeyHash: Buffer
}

/** SQL fragments: the ID of the provisional lead of `event` (program_id, click_id), or null, and a new ID. */
export const provisionalLeadId = sql`(
  SELECT provisional.id FROM leads provisional
  WHERE provisional.program_id = event.program_id AND provisional.click_id = event.click_id)`
export const nextLeadId = sql`nextval('leads_id_seq')`

/**
 * Parts of a statement: settle new and provisional leads, and publish them. A constraint makes this final. The statement also has
 * the part `named` (settleCustomers).
 */
export const settleLeads = (settled: Settlement[], now: Date): Parts => {
  const column = columnsOf(settled)
  return {
    written: sql`
      INSERT INTO leads (program_id, id, click_id, created_at, state, settled_by, settled_at, day, visitor_hash, credit_source,
        link_id, code_id, partner_id, rewarded_before, first_sold_before, unpaid_before, unpaid_sold_before)
      SELECT lead.program_id, id, click_id, at, 'settled', settled_by, at, (at AT TIME ZONE timezone)::date, visitor_hash, credit_source,
        link_id, code_id, partner_id, coalesce(erased.lead_rewarded, false), erased.first_sold_at, coalesce(erased.lead_unpaid, false),
        erased.unpaid_sold_at
      FROM unnest(${column('programId', 'integer')}, ${column('leadId', 'bigint')}, ${column('clickId', 'text')},
        ${column('at', 'timestamptz')}, ${column('timezone', 'text')}, ${column('settledBy', 'text')},
        ${column('visitorHash', 'bytea')}, ${column('creditSource', 'text')}, ${column('linkId', 'integer')},
        ${column('codeId', 'integer')}, ${column('partnerId', 'integer')}, ${column('erasedKeyHash', 'bytea')})
        AS lead(program_id, id, click_id, at, timezone, settled_by, visitor_hash, credit_source, link_id, code_id, partner_id, key_hash)
      LEFT JOIN erased_customers erased ON erased.program_id = lead.program_id AND erased.key_hash = lead.key_hash
      ON CONFLICT (program_id, click_id) DO UPDATE SET state = excluded.state, settled_by = excluded.settled_by,
        settled_at = excluded.settled_at, day = excluded.day, visitor_hash = excluded.visitor_hash, credit_source = excluded.credit_source,
        link_id = excluded.link_id, code_id = excluded.code_id, partner_id = excluded.partner_id, rewarded_before = excluded.rewarded_before,
        first_sold_before = excluded.first_sold_before, unpaid_before = excluded.unpaid_before,
        unpaid_sold_before = excluded.unpaid_sold_before
      RETURNING program_id, id, click_id, credit_source, link_id, code_id, partner_id, settled_at, day, true AS is_counted`,
    published: sql`${insertEvents(sql`
      SELECT program_id, 'lead.created', ${now}::timestamptz, json_build_object(
        'id', lead.id, 'customerKey', named.customer_key, 'customerId', click_id, 'creditedBy', lead.credit_source,
        'linkId', lead.link_id, 'codeId', lead.code_id, 'partnerId', lead.partner_id, 'leadAt', ${isoTime(sql`lead.settled_at`)}), NULL::json,
        CASE WHEN named.email_masked IS NOT NULL THEN json_build_object('email', named.email_masked) END, named.customer_key
      FROM written lead JOIN named USING (program_id, click_id) ORDER BY lead.id`)} RETURNING id`,
  }
}

/** Whether an erased customer with the same key earned a lead commission, and when their first commissioned sale was made. */
export const paidBefore = async (tx: Tx, { programId, clickId }: CustomerId) => {
  const lead = await tx
    .selectFrom('leads')
    .select([leadPaidBefore('leads').as('isLeadPaid'), firstSoldBefore('leads').as('firstSoldAt')])
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .executeTakeFirst()
  return lead ?? { isLeadPaid: false, firstSoldAt: null }
}

type Confirmation = CustomerId & {
  by: 'server' | 'processor'
  /** Sales made before this time stay unverified; null verifies all of them. */
  since: Date | null
  at: Date
}

/** Returns the lead's ID, or null if an earlier confirmation already covers this one. `settled_by` does not change. */
export const confirmLead = async (tx: Tx, { programId, clickId, by, since, at }: Confirmation) => {
  const { rows } = await sql<{ id: number }>`
    UPDATE leads SET confirmed_at = ${at}, confirmed_by = ${by}, confirmed_since = ${since}
    WHERE leads.program_id = ${programId} AND leads.click_id = ${clickId} AND leads.settled_by = 'browser'
      AND (leads.confirmed_at IS NULL OR leads.confirmed_since > coalesce(${since}::timestamptz, '-infinity'))
    RETURNING leads.id`.execute(tx)
  return rows[0]?.id ?? null
}

/**
 * Whether a sale is credited by customer key to a lead that only a browser reported. Locks the lead until the transaction ends,
 * so that a later confirmation sees the review opened here.
 */
export const lockIfUnverified = async (tx: Tx, { programId, saleId }: { programId: number; saleId: number }) => {
  const { rows } = await sql`
    SELECT FROM sales
    JOIN customers ON customers.program_id = sales.program_id AND customers.click_id = sales.click_id
      AND customers.customer_key = sales.customer_key
    JOIN leads ON leads.program_id = sales.program_id AND leads.click_id = sales.click_id
    WHERE sales.program_id = ${programId} AND sales.id = ${saleId} AND leads.settled_by = 'browser'
      AND (leads.confirmed_at IS NULL OR sales.sold_at < leads.confirmed_since) AND leads.settled_at <= sales.sold_at
    FOR SHARE OF leads`.execute(tx)
  return rows.length > 0
}

type VisitorDay = { programId: number; visitorHash: Uint8Array | null; day: string; leadsOfVisitor?: number }

/** High enough to flag a visitor, low enough to count for every lead. */
const MAX_COUNTED = 100

/** Fills in the visitor's leads on that day up to and including this one; leads later in the same batch do not count. */
export const countLeadsOfVisitors = async (tx: Tx, leads: VisitorDay[]) => {
  if (leads.length === 0) return
  const column = columnsOf(leads)
  const { rows } = await sql<{ position: number; total: number }>`
    SELECT position, (SELECT count(*) FROM (
      SELECT FROM leads WHERE leads.program_id = visitor.program_id AND leads.visitor_hash = visitor.visitor_hash
        AND leads.day = visitor.day LIMIT ${sql.lit(MAX_COUNTED)}) lead) AS total
    FROM unnest(${column('programId', 'integer')}, ${column('visitorHash', 'bytea')},
      ${column('day', 'date')}) WITH ORDINALITY AS visitor(program_id, visitor_hash, day, position)
    ORDER BY position DESC`.execute(tx)
  const later = new Map<string, number>()
  for (const { position, total } of rows) {
    const lead = leads[position - 1] as VisitorDay
    const visitor = `${lead.programId} ${lead.day} ${lead.visitorHash?.toHex()}`
    const after = later.get(visitor) ?? 0
    lead.leadsOfVisitor = total - after
    later.set(visitor, after + 1)
  }
}

export const forgetVisitorOfLead = (tx: Tx, { programId, clickId }: { programId: number; clickId: string | null }) =>
  tx
    .updateTable('leads')
    .set({ visitorHash: null })
    .where('programId', '=', programId)
    .where('clickId', '=', clickId ?? '')
    .execute()
