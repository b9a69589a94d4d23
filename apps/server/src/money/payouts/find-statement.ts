import type { Statement } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { readHashed } from '../../database/transaction.ts'
import { saleOfCommission } from '../adjustments/manual-credits.ts'
import { findPayoutLine } from './find-payout-lines.ts'
import { selectDetails, selectVersions } from './statements.ts'

type Head = Pick<
  Statement,
  'number' | 'version' | 'merchant' | 'partner' | 'selfBilling' | 'programName' | 'partnerName' | 'canReissue'
> & {
  payoutId: number
  createdAt: Date
  versions: { version: number; issuedAt: string }[]
}
type Item = Omit<Statement['items'][number], 'earnedAt'> & { earnedAt: Date }

/** Whose statement: the merchant names the payout, a partner sees only their own. */
type Scope = { programId: number; lineId: number; version?: number | undefined } & (
  | { payoutId: number; seesCustomers: boolean }
  | { partnerId: number }
)

/** Details of a version, the latest by default, and items as they were when the payout was created, with what happened since. */
export const findStatement = async (db: Database, { programId, lineId, ...scope }: Scope) => {
  const head = await findHead(db, { programId, lineId, ...scope })
  const line = head && (await findPayoutLine(db, { programId, payoutId: head.payoutId, id: lineId }))
  if (!line) return null
  const seesCustomers = 'seesCustomers' in scope && scope.seesCustomers
  const items = await findItems(db, { programId, lineId, seesCustomers })
  const earned = items.filter(({ amountCents }) => amountCents > 0).map(({ earnedAt }) => earnedAt.getTime())
  const { status, decidedAt, paidAt, reference, currency, reservedCents: totalCents, amountCents } = line
  const itemCents = items.reduce((sum, item) => sum + item.amountCents, 0)
  return {
    ...head,
    lineId,
    status,
    decidedAt,
    paidAt,
    reference,
    currency,
    periodFrom: earned.length > 0 ? new Date(Math.min(...earned)) : null,
    periodTo: earned.length > 0 ? new Date(Math.max(...earned)) : null,
    items,
    broughtForwardCents: totalCents - itemCents,
    totalCents,
    reversedSinceCents: totalCents - amountCents,
    amountCents,
  }
}

const findHead = async (db: Database, { programId, lineId, version, ...scope }: Scope) => {
  const chosen = version ?? null
  const { rows } = await sql<Head>`
    SELECT shown.number, shown.version, shown.merchant, shown.partner, shown.self_billing, program.name AS program_name,
      partner.name AS partner_name, line.payout_id, payout.cutoff_at AS created_at, all_versions.versions,
      (all_versions.merchant, all_versions.partner, all_versions.self_billing)
        IS DISTINCT FROM (details.merchant, details.partner, details.self_billing) AS can_reissue
    FROM payout_lines line
    JOIN LATERAL (
      ${selectVersions('line')} AND (version.version = ${chosen}::integer OR ${chosen}::integer IS NULL)
      ORDER BY version DESC LIMIT 1) shown ON true
    CROSS JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('version', version, 'issuedAt', to_char(issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          ORDER BY version) AS versions,
        (array_agg(merchant ORDER BY version DESC))[1] AS merchant, (array_agg(partner ORDER BY version DESC))[1] AS partner,
        (array_agg(self_billing ORDER BY version DESC))[1] AS self_billing
      FROM (${selectVersions('line')}) each) all_versions
    CROSS JOIN LATERAL (${selectDetails('line')}) details
    JOIN payouts payout ON payout.program_id = line.program_id AND payout.id = line.payout_id
    JOIN programs program ON program.id = line.program_id
    JOIN partners partner ON partner.program_id = line.program_id AND partner.id = line.partner_id
    WHERE line.program_id = ${programId} AND line.id = ${lineId}
      AND ${'payoutId' in scope ? sql`line.payout_id = ${scope.payoutId}` : sql`line.partner_id = ${scope.partnerId}`}`.execute(
    db,
  )
  return rows[0]
}

type ItemsOf = { programId: number; lineId: number; seesCustomers: boolean }

const findItems = (db: Database, { programId, lineId, seesCustomers }: ItemsOf) => {
  const items = sql<Item>`
    SELECT item.commission_id, CASE commission.kind WHEN 'credited' THEN 'sale' ELSE commission.kind END AS kind,
      sale.id AS sale_id, commission.lead_id, sale.amount_cents AS sale_cents,
      CASE WHEN ${seesCustomers} THEN sale.invoice_id END AS invoice_id,
      CASE WHEN ${seesCustomers} THEN coalesce(sale.customer_key, customer.customer_key) END AS customer_key,
      CASE WHEN commission.kind IN ('bonus', 'manual') THEN adjustment.reason END AS reason,
      sale.currency AS sale_currency, CASE WHEN sale.id IS NOT NULL THEN terms.sale_percent_bps END AS rate_bps,
      commission.amount_cents AS commission_cents, item.earned_at, item.amount_cents
    FROM payout_statement_items item
    JOIN commissions commission ON commission.program_id = item.program_id AND commission.id = item.commission_id
    LEFT JOIN sales sale ON sale.program_id = commission.program_id AND sale.id = ${saleOfCommission('commission')}
    LEFT JOIN leads lead ON lead.program_id = commission.program_id AND lead.id = commission.lead_id
    LEFT JOIN customers customer ON customer.program_id = lead.program_id AND customer.click_id = lead.click_id
    LEFT JOIN reward_terms terms ON terms.program_id = commission.program_id AND terms.version = commission.terms_version
    LEFT JOIN adjustments adjustment ON adjustment.program_id = commission.program_id AND adjustment.id = commission.adjustment_id
    WHERE item.program_id = ${programId} AND item.payout_line_id = ${lineId}
    ORDER BY item.earned_at, item.commission_id`
  return readHashed(db, items)
}
