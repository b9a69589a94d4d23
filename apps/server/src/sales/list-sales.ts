import {
  AD_BITS,
  adParametersOf,
  DATA_CENTER,
  type Nameless,
  type SaleEvidence,
  type SaleRow,
  type SalesQuery,
} from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { isUndone } from '../database/sql/active-void.ts'
import { netRefund } from '../database/sql/refunded.ts'
import { partnersWithSameDestination, sameDestination } from '../database/sql/same-destination.ts'
import { type SearchTerm, salesWith } from '../database/sql/search.ts'
import { orderBy, sortField } from '../database/sql/sorting.ts'
import { readHashed } from '../database/transaction.ts'
import { MANUAL_CREDIT, SALE_COLUMNS } from './find-sales.ts'

type Row = Omit<Nameless<SaleRow>, 'soldAt' | 'creditedAt' | 'evidence'> & { soldAt: Date; creditedAt: Date | null }
type StoredEvidence = Pick<SaleEvidence, 'secondsSinceClick' | 'sameDestinationPartnerIds'> & {
  clickEvidence: number | null
}
export type SalesFilter = Omit<SalesQuery, 'dateFrom' | 'dateTo' | 'search'> & {
  programId: number
  search?: SearchTerm | undefined
  /** Start of the first day and end of the last day, in the program's time zone. */
  from: Date | null
  before: Date | null
}
/** SQL for the refunded amount of `sale` and the reversed amount of `earned`, supplied by the module that owns those tables. */
export type Figures = { refunded: RawBuilder<number>; reversed: RawBuilder<number> }

const columns = ({ refunded, reversed }: Figures) => sql`
  ${SALE_COLUMNS}, manual.type AS adjustment_type, ${refunded} AS refunded_cents, earned.id AS commission_id, earned.amount_cents AS commission_cents, earned.currency AS commission_currency,
  sale.seconds_since_click, sale.click_evidence,
  ${sameDestination(sql`sale.program_id`, sql`coalesce(manual.partner_id, sale.partner_id)`)} AS same_destination_partner_ids,
  ${reversed} AS commission_reversed_cents,
  CASE WHEN sale.click_id IS NOT NULL AND earned.id IS NULL THEN (
    SELECT coalesce(decision.result->'commissionDecision'->'result'->>'reason', decision.reason) FROM decisions decision
    WHERE decision.program_id = sale.program_id AND decision.sale_id = sale.id
      AND (decision.rule = 'commission' OR decision.result->'commissionDecision' IS NOT NULL)
    ORDER BY decision.id DESC LIMIT 1) END AS no_commission_reason`

/** The commission that counts: the manually credited one, otherwise the automatic one. */
const EARNED = sql`${MANUAL_CREDIT}
  LEFT JOIN LATERAL (
    -- Two lookups by a key: one condition for both would compare every sale with every commission.
    SELECT * FROM commissions automatic
    WHERE manual.id IS NULL AND automatic.program_id = sale.program_id AND automatic.sale_id = sale.id
    UNION ALL
    SELECT * FROM commissions credited WHERE credited.program_id = sale.program_id AND credited.adjustment_id = manual.id) earned ON true`

type AssignedSale = { saleId: number; partnerId: number }

/** All sales that members have credited or moved, with the last decision that was not undone. */
const manualCredits = (programId: number) => sql<AssignedSale>`
    SELECT DISTINCT ON (sale_id) sale_id, partner_id, id FROM (
      SELECT coalesce(named.merged_into, named.id) AS sale_id, assigned.partner_id, assigned.id FROM adjustments assigned
      JOIN sales named ON named.program_id = assigned.program_id AND named.id = assigned.sale_id
      WHERE assigned.program_id = ${programId} AND assigned.type IN ('credit', 'move')
        AND NOT ${isUndone('assigned')}) active
    ORDER BY sale_id, id DESC`

/** What each sale's commission is worth: sale_id, cents. Reads the commissions once, where `EARNED` looks them up for each sale. */
const keptCents = (programId: number, { reversed }: Figures) => sql`
  WITH manual AS MATERIALIZED (${manualCredits(programId)})
  SELECT sale_id, earned.amount_cents - ${reversed} AS cents FROM commissions earned
  WHERE earned.program_id = ${programId} AND sale_id IS NOT NULL AND sale_id <> ALL (ARRAY(SELECT sale_id FROM manual))
  UNION ALL
  SELECT manual.sale_id, earned.amount_cents - ${reversed} FROM manual
  JOIN commissions earned ON earned.program_id = ${programId} AND earned.adjustment_id = manual.id`

/** Without manually credited sales, which is the usual case, the condition stays one that an index answers in order. */
const either = (automatic: RawBuilder<unknown>, saleIds: number[]) =>
  saleIds.length === 0 ? sql`AND ${automatic}` : sql`AND (${automatic} OR id = ANY (${saleIds}::bigint[]))`

const except = (saleIds: number[]) => (saleIds.length === 0 ? sql`` : sql`AND id <> ALL (${saleIds}::bigint[])`)

const ofState = (state: 'credited' | 'uncredited', assigned: AssignedSale[]) => {
  const saleIds = assigned.map(({ saleId }) => saleId)
  return state === 'credited'
    ? either(sql`click_id IS NOT NULL`, saleIds)
    : sql`AND click_id IS NULL ${except(saleIds)}`
}

const ofPartner = (partnerId: number, assigned: AssignedSale[]) => {
  const idsOf = (isTheirs: boolean) =>
    assigned.filter((sale) => (sale.partnerId === partnerId) === isTheirs).map(({ saleId }) => saleId)
  return either(sql`(partner_id = ${partnerId} ${except(idsOf(false))})`, idsOf(true))
}

/** Of partners, of whom there are few. */
const ofPartners = (partnerIds: number[], assigned: AssignedSale[]) => {
  const idsOf = (isTheirs: boolean) =>
    assigned.filter((sale) => partnerIds.includes(sale.partnerId) === isTheirs).map(({ saleId }) => saleId)
  return either(sql`(partner_id = ANY (${partnerIds}::integer[]) ${except(idsOf(false))})`, idsOf(true))
}

const withEvidence = async (
  db: Database,
  programId: number,
  { evidence }: Pick<SalesFilter, 'evidence'>,
  assigned: AssignedSale[],
) => {
  if (evidence === 'ad_click') return sql`AND click_evidence & ${AD_BITS} <> 0`
  if (evidence === 'data_center') return sql`AND click_evidence & ${DATA_CENTER} <> 0`
  if (!evidence) return sql``
  const { rows } = await partnersWithSameDestination(programId).execute(db)
  return ofPartners(
    rows.map(({ partnerId }) => partnerId),
    assigned,
  )
}

const toSale = <One extends StoredEvidence>({
  secondsSinceClick,
  clickEvidence,
  sameDestinationPartnerIds,
  ...sale
}: One) => ({
  ...sale,
  evidence: {
    secondsSinceClick,
    adParameters: adParametersOf(clickEvidence ?? 0),
    fromDataCenter: ((clickEvidence ?? 0) & DATA_CENTER) !== 0,
    sameDestinationPartnerIds,
  },
})

/** `commissionCents` is a placeholder: sorting by the commission uses a query with its own order below. */
const ORDERS = { soldAt: 'sale.sold_at', amountCents: 'sale.amount_cents', commissionCents: 'sale.id' }

export const listSales = async (db: Database, { programId, ...query }: SalesFilter, figures: Figures) => {
  const { state, partnerId, from, before, search, sort, page, pageSize, evidence, withinSeconds } = query
  const assigned =
    state || partnerId || evidence === 'same_destination' ? await readHashed(db, manualCredits(programId)) : []
  const matching = sql`sales sale WHERE program_id = ${programId} AND voided_at IS NULL
    ${state ? ofState(state, assigned) : sql``} ${partnerId ? ofPartner(partnerId, assigned) : sql``}
    ${await withEvidence(db, programId, query, assigned)} ${withinSeconds ? sql`AND seconds_since_click <= ${withinSeconds}` : sql``}
    ${from ? sql`AND sold_at >= ${from}` : sql``} ${before ? sql`AND sold_at < ${before}` : sql``}
    ${search ? sql`AND id IN ${salesWith(programId, search)}` : sql``}`
  // Sorting by the commission needs that of every sale; otherwise those of one page are enough.
  const isByCommission = sortField(sort) === 'commissionCents'
  const order = orderBy(sort, ORDERS, 'sale.id')
  const slice = sql`${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
  const shown = isByCommission
    ? sql<Row & StoredEvidence>`SELECT listed.* FROM (SELECT ${columns(figures)} FROM (
          SELECT sale.* FROM (SELECT * FROM ${matching}) sale
          LEFT JOIN (${keptCents(programId, figures)}) kept ON kept.sale_id = sale.id
          ${orderBy(sort, { commissionCents: 'coalesce(kept.cents, -1)' }, 'sale.id')}
          LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) sale ${EARNED}) listed
        ${orderBy(sort, { commissionCents: 'coalesce(commission_cents - commission_reversed_cents, -1)' }, 'id')}`
    : sql<
        Row & StoredEvidence
      >`SELECT ${columns(figures)} FROM (SELECT * FROM ${matching} ${slice}) sale ${EARNED} ${order}`
  const [list, count] = await Promise.all([
    isByCommission ? readHashed(db, shown, { isLong: true }) : shown.execute(db).then(({ rows }) => rows),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${matching}`.execute(db),
  ])
  return { rows: list.map(toSale), total: count.rows[0]?.total ?? 0 }
}

type Refund = { id: number; refundId: string | null; amountCents: number; reason: string | null; refundedAt: Date }
type Detail = Row & {
  grossCents: number | null
  metadata: Record<string, unknown> | null
  voidedAt: Date | null
  mergedInto: number | null
  processorRefunds: { amountCents: number; refundIds: string[] } | null
}

/** Includes voided sales, which show the sale they were merged into. */
export const findSaleDetail = async (
  db: Database,
  { programId, id }: { programId: number; id: number },
  figures: Figures,
) => {
  const { rows } = await sql<Detail & StoredEvidence>`
    SELECT ${columns(figures)}, sale.gross_cents, sale.metadata, sale.voided_at, sale.merged_into,
      (SELECT jsonb_build_object('amountCents', refund.refunded_cents, 'refundIds', refund.refund_ids) FROM processor_refunds refund
        WHERE refund.program_id = sale.program_id AND refund.sale_id = sale.id AND refund.refunded_cents > 0) AS processor_refunds
    FROM (SELECT * FROM sales WHERE program_id = ${programId} AND id = ${id}) sale ${EARNED}`.execute(db)
  if (!rows[0]) return null
  // Refunds of a merged sale count as refunds of this one.
  const { rows: refunds } = await sql<Refund>`
    SELECT refund.id, refund.refund_id, ${netRefund} AS amount_cents, refund.reason, refund.refunded_at
    FROM refunds refund JOIN sales sale ON sale.program_id = ${programId} AND sale.id = ${id}
    WHERE refund.program_id = ${programId} AND refund.sale_id IN (
      SELECT ${id}::bigint UNION ALL SELECT merged.id FROM sales merged WHERE merged.program_id = ${programId} AND merged.merged_into = ${id})
    ORDER BY refund.id`.execute(db)
  return { ...toSale(rows[0]), refunds }
}
