import { sql } from 'kysely'
import { isVoided } from '../../database/sql/active-void.ts'
import { countryOfSale } from '../../database/sql/country-of-sale.ts'
import { firstSoldBefore, leadPaidBefore } from '../../database/sql/paid-before.ts'
import { disputedCents, selectRefundedCents } from '../../database/sql/refunded.ts'
import type { Tx } from '../../database/transaction.ts'
import { selectManualCredits } from '../adjustments/manual-credits.ts'
import { type ManualCredit, type StandingFacts, UNTOUCHED } from './commission-rules.ts'
import type { CustomerFacts, LeadEvent, SaleEvent } from './evaluate.ts'

/** No click_id contains it, so a list of click_ids fits in one parameter. */
const SEPARATOR = '\n'

type Period = { programId: number; from: Date; before: Date; pageSize: number }

/** One page of click_ids, joined into a single string so that a million customers fit in memory. */
type CustomerPage = { clickIds: string; customers: number }

/** Every customer with a settled lead or a credited sale in the period, once each. */
export const findCustomersInPeriod = async (tx: Tx, { programId, from, before, pageSize }: Period) => {
  const { rows } = await sql<CustomerPage>`
    SELECT string_agg(click_id, ${SEPARATOR} ORDER BY click_id) AS click_ids, count(*) AS customers
    FROM (
      SELECT click_id, (row_number() OVER (ORDER BY click_id) - 1) / ${pageSize}::integer AS page
      FROM (
        SELECT click_id FROM leads
        WHERE program_id = ${programId} AND state = 'settled' AND settled_at >= ${from} AND settled_at < ${before}
        UNION
        SELECT click_id FROM sales
        WHERE program_id = ${programId} AND credit_source IS NOT NULL AND voided_at IS NULL
          AND sold_at >= ${from} AND sold_at < ${before}) customer) numbered
    GROUP BY page ORDER BY page`.execute(tx)
  return rows
}

/** Reads the customers' whole history, because their first sale may be far in the past. */
export const readCustomerFacts = async (tx: Tx, customers: Customers) => {
  const facts = new Map<string, CustomerFacts>()
  const factsOf = (clickId: string) => {
    const known = facts.get(clickId) ?? { lead: null, sales: [], firstSoldBefore: null }
    facts.set(clickId, known)
    return known
  }
  for (const { clickId, isSettled, firstSoldBefore, isVoided, ...lead } of await readLeads(tx, customers)) {
    const customer = factsOf(clickId)
    customer.firstSoldBefore = firstSoldBefore
    if (isSettled) customer.lead = { kind: 'lead', ...lead, manual: { ...UNTOUCHED, isVoided } }
  }
  for (const { clickId, isVoided, credits, losses: lost, ...sale } of await readSales(tx, customers)) {
    const losses = lost.map((loss) => ({ ...loss, lostAt: new Date(loss.lostAt) }))
    factsOf(clickId).sales.push({ kind: 'sale', ...sale, losses, manual: { ...UNTOUCHED, isVoided, credits } })
  }
  return [...facts.values()]
}

type Customers = { programId: number; clickIds: string }

const review = sql<
  StandingFacts['review']
>`CASE WHEN review.commission_id IS NULL THEN 'none' ELSE coalesce(review.decision, 'open') END`

const isOneOf = (clickIds: string) => sql`click_id = ANY (string_to_array(${clickIds}, ${SEPARATOR}))`

type LeadRow = Omit<LeadEvent, 'kind' | 'manual'> & {
  clickId: string
  isSettled: boolean
  firstSoldBefore: Date | null
  isVoided: boolean
}

const readLeads = async (tx: Tx, { programId, clickIds }: Customers) => {
  const { rows } = await sql<LeadRow>`
    SELECT lead.id, lead.click_id, lead.partner_id, lead.settled_at, lead.state = 'settled' AS is_settled,
      ${leadPaidBefore('lead')} AS rewarded_before, ${firstSoldBefore('lead')} AS first_sold_before, ${review} AS review,
      ${isVoided('commission')} AS is_voided
    FROM leads lead
    LEFT JOIN commissions commission ON commission.program_id = lead.program_id AND commission.lead_id = lead.id
    LEFT JOIN commission_reviews review
      ON review.program_id = commission.program_id AND review.commission_id = commission.id
    WHERE lead.program_id = ${programId} AND lead.${isOneOf(clickIds)}`.execute(tx)
  return rows
}

const LOSSES = sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('lostAt', loss.lost_at, 'saleCents', loss.sale_cents, 'lostCents', loss.lost_cents,
    'isOver', loss.is_over) ORDER BY loss.number), '[]')
  FROM commission_losses loss WHERE loss.program_id = commission.program_id AND loss.commission_id = commission.id)`

type SaleRow = Omit<SaleEvent, 'kind' | 'manual'> & { clickId: string; isVoided: boolean; credits: ManualCredit[] }

const readSales = async (tx: Tx, { programId, clickIds }: Customers) => {
  const { rows } = await sql<SaleRow>`
    SELECT sale.id, sale.click_id, sale.partner_id, sale.currency, sale.sold_at, sale.amount_cents AS sale_cents,
      coalesce(${selectRefundedCents('sale')}, 0) AS refunded_cents, disputed.open_cents, disputed.lost_cents,
      ${firstSoldBefore('sale')} AS first_sold_before, ${review} AS review, sale.items, ${countryOfSale('sale')} AS country,
      ${LOSSES} AS losses, ${isVoided('commission')} AS is_voided, ${selectManualCredits('sale')} AS credits
    FROM sales sale
    LEFT JOIN commissions commission ON commission.program_id = sale.program_id AND commission.sale_id = sale.id
    LEFT JOIN commission_reviews review
      ON review.program_id = commission.program_id AND review.commission_id = commission.id
    CROSS JOIN LATERAL (
      SELECT coalesce(${disputedCents('open')}, 0) AS open_cents, coalesce(${disputedCents('lost')}, 0) AS lost_cents
      FROM disputes dispute WHERE dispute.program_id = sale.program_id AND dispute.sale_id = sale.id) disputed
    WHERE sale.program_id = ${programId} AND sale.voided_at IS NULL AND sale.${isOneOf(clickIds)}`.execute(tx)
  return rows
}
