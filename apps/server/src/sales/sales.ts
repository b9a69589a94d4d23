import type { UncreditedReason } from '@tributary/contract'
import { sql } from 'kysely'
import type { SaleEvidence } from '../attribution/evidence.ts'
import { anyOf, columnsOf, type Parts, withParts } from '../database/sql/columns.ts'
import { countryOfSale } from '../database/sql/country-of-sale.ts'
import type { Json } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import type { SaleItems } from '../money/rewards/rules.ts'
import { changing, withoutEvent } from '../outbox/publish-changes.ts'
import type { Sale } from './find-sales.ts'
import { changingMerged, publishCreated } from './sale-events.ts'

export type Credit = {
  clickId: string
  creditSource: 'click' | 'code'
  linkId: number | null
  codeId: number | null
  partnerId: number
  evidence: SaleEvidence | null
}

export type NewSale = {
  programId: number
  invoiceId: string
  customerKey: string | null
  amountCents: number
  grossCents: number | null
  items: SaleItems | null
  currency: string
  eventName: string | null
  subscriptionId: string | null
  metadata: Json
  requestHash: Buffer
  /** Recognizes an erased customer with the same key. */
  erasedKeyHash: Buffer | null
  soldAt: Date
  /** Time zone that determines `day`. */
  timezone: string
  reportedBy: 'merchant' | 'processor'
  /** As stated: the one that credits the sale, else the first. */
  promotionCode: string | null
  outcome: SaleOutcome
  /** Filled in. */
  saleId?: number | undefined
}

type Uncredited = { reason: UncreditedReason }
export type SaleOutcome = Credit | Uncredited

export const isUncredited = (credit: SaleOutcome): credit is Uncredited => 'reason' in credit

/**
 * Fills in the IDs of the sales, except if its invoice ID is already taken; the unique constraint decides between concurrent calls.
 * `parts` run in the same statement and read the new rows from `written`.
 */
export const insertSales = async (tx: Tx, sales: NewSale[], { at, parts }: { at: Date; parts: Parts }) => {
  const column = columnsOf(sales.map(toRow))
  const { rows: inserted } = await sql<{ programId: number; invoiceId: string; id: number }>`
    ${withParts({ written: insertRows(column), ...parts, published: publishCreated(at) })}
    SELECT program_id, invoice_id, id FROM written`.execute(tx)
  const idOf = new Map(inserted.map(({ programId, invoiceId, id }) => [`${programId} ${invoiceId}`, id]))
  for (const sale of sales) sale.saleId = idOf.get(`${sale.programId} ${sale.invoiceId}`)
}

const toRow = ({ outcome, ...sale }: NewSale) => ({
  clickId: null,
  creditSource: null,
  linkId: null,
  codeId: null,
  partnerId: null,
  creditedAt: null,
  reason: null,
  ...sale,
  metadata: sale.metadata === null ? null : JSON.stringify(sale.metadata),
  items: sale.items === null ? null : JSON.stringify(sale.items),
  ...(isUncredited(outcome) ? { ...outcome, ...NO_EVIDENCE } : { ...creditOf(outcome), creditedAt: sale.soldAt }),
})

const NO_EVIDENCE = { secondsSinceClick: null, clickEvidence: null }

const creditOf = <One extends Credit>({ evidence, ...credit }: One) => ({ ...credit, ...(evidence ?? NO_EVIDENCE) })

type Column = ReturnType<typeof columnsOf<ReturnType<typeof toRow>>>

const insertRows = (column: Column) => sql`
    INSERT INTO sales (program_id, invoice_id, customer_key, amount_cents, gross_cents, items, currency, event_name, subscription_id, metadata,
      request_hash, sold_at, day, reported_by, click_id, credit_source, link_id, code_id, promotion_code, partner_id, credited_at, reason,
      seconds_since_click, click_evidence, first_sold_before, unpaid_sold_before)
    SELECT sale.program_id, invoice_id, customer_key, amount_cents, gross_cents, items, currency, event_name, subscription_id, metadata,
      request_hash, sold_at, (sold_at AT TIME ZONE timezone)::date, reported_by, click_id, credit_source, link_id, code_id, promotion_code,
      partner_id, credited_at, reason, seconds_since_click, click_evidence, erased.first_sold_at, erased.unpaid_sold_at
    FROM unnest(${column('programId', 'integer')}, ${column('invoiceId', 'text')}, ${column('customerKey', 'text')},
      ${column('amountCents', 'bigint')}, ${column('grossCents', 'bigint')}, ${column('items', 'jsonb')}, ${column('currency', 'text')}, ${column('eventName', 'text')},
      ${column('subscriptionId', 'text')}, ${column('metadata', 'jsonb')}, ${column('requestHash', 'bytea')},
      ${column('soldAt', 'timestamptz')}, ${column('timezone', 'text')}, ${column('reportedBy', 'text')},
      ${column('clickId', 'text')}, ${column('creditSource', 'text')}, ${column('linkId', 'integer')}, ${column('codeId', 'integer')},
      ${column('promotionCode', 'text')}, ${column('partnerId', 'integer')}, ${column('creditedAt', 'timestamptz')}, ${column('reason', 'text')},
      ${column('secondsSinceClick', 'integer')}, ${column('clickEvidence', 'integer')}, ${column('erasedKeyHash', 'bytea')})
      AS sale(program_id, invoice_id, customer_key, amount_cents, gross_cents, items, currency, event_name, subscription_id, metadata,
        request_hash, sold_at, timezone, reported_by, click_id, credit_source, link_id, code_id, promotion_code, partner_id, credited_at, reason,
        seconds_since_click, click_evidence, key_hash)
    LEFT JOIN erased_customers erased ON erased.program_id = sale.program_id AND erased.key_hash = sale.key_hash
    ON CONFLICT (program_id, invoice_id) DO NOTHING
    RETURNING program_id, id, invoice_id, customer_key, amount_cents, gross_cents, currency, event_name, subscription_id, sold_at, day, click_id,
      credit_source, link_id, code_id, promotion_code, partner_id, credited_at, reason, credit_source IS NOT NULL AS is_counted`

type LateCredit = Credit & { programId: number; saleId: number; creditedAt: Date }

/** Credits sales of one program. */
export const creditSales = async (tx: Tx, credits: LateCredit[]) => {
  const [first] = credits
  if (!first) return
  const { programId, creditedAt: at } = first
  const writer = await changing(tx, 'sale', { programId, ids: credits.map(({ saleId }) => saleId), at })
  const column = columnsOf(credits.map(creditOf))
  await sql`
    UPDATE sales SET click_id = credit.click_id, credit_source = credit.credit_source, link_id = credit.link_id,
      code_id = credit.code_id, partner_id = credit.partner_id, credited_at = credit.credited_at, reason = NULL,
      seconds_since_click = credit.seconds_since_click, click_evidence = credit.click_evidence
    FROM unnest(${column('programId', 'integer')}, ${column('saleId', 'bigint')}, ${column('clickId', 'text')},
      ${column('creditSource', 'text')}, ${column('linkId', 'integer')}, ${column('codeId', 'integer')}, ${column('partnerId', 'integer')},
      ${column('creditedAt', 'timestamptz')}, ${column('secondsSinceClick', 'integer')}, ${column('clickEvidence', 'integer')})
      AS credit(program_id, sale_id, click_id, credit_source, link_id, code_id, partner_id, credited_at, seconds_since_click, click_evidence)
    WHERE sales.program_id = credit.program_id AND sales.id = credit.sale_id`.execute(writer)
}

export const creditSale = (tx: Tx, credit: LateCredit) => creditSales(tx, [credit])

type UncreditedSales = { programId: number; saleIds: number[]; reason: UncreditedReason; at: Date }

export const changeUncreditedReason = async (tx: Tx, { programId, saleIds, reason, at }: UncreditedSales) => {
  if (saleIds.length === 0) return
  const writer = await changing(tx, 'sale', { programId, ids: saleIds, at })
  await writer
    .updateTable('sales')
    .set({ reason })
    .where('programId', '=', programId)
    .where('id', '=', anyOf(saleIds))
    .where('creditSource', 'is', null)
    .execute()
}

type SaleAt = { programId: number; saleId: number; at: Date }
type Change = Partial<
  Pick<Sale, 'invoiceId' | 'customerKey' | 'amountCents' | 'subscriptionId' | 'soldAt' | 'day' | 'promotionCode'> & {
    items: SaleItems
  }
>

export const changeSale = async (tx: Tx, { programId, saleId, at, items, ...changed }: SaleAt & Change) => {
  const change = { ...changed, ...(items && { items: JSON.stringify(items) }) }
  const writer = await changing(tx, 'sale', { programId, ids: [saleId], at })
  await writer.updateTable('sales').set(change).where('programId', '=', programId).where('id', '=', saleId).execute()
}

/** Does nothing if the invoice ID is taken, which includes voided sales. */
export const renameSale = async (tx: Tx, { programId, saleId, invoiceId, at }: SaleAt & { invoiceId: string }) => {
  const writer = await changing(tx, 'sale', { programId, ids: [saleId], at })
  await writer
    .updateTable('sales')
    .set({ invoiceId })
    .where('programId', '=', programId)
    .where('id', '=', saleId)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('sales as other')
            .select('other.id')
            .where('other.programId', '=', programId)
            .where('other.invoiceId', '=', invoiceId),
        ),
      ),
    )
    .execute()
}

type VoidedSale = SaleAt & { invoiceId: string; grossCents: number | null; mergedInto: number | null }

/**
 * Marks a sale as merged into another. Sales merged into it earlier now point to that sale too. It takes over the amount with tax,
 * because refunds of either are shares of it.
 */
export const voidSale = async (tx: Tx, { programId, saleId, invoiceId, grossCents, mergedInto, at }: VoidedSale) => {
  const ids = mergedInto === null ? [saleId] : [saleId, mergedInto]
  const writer = await changingMerged(tx, { programId, ids, at })
  const ofProgram = writer.updateTable('sales').where('programId', '=', programId)
  await ofProgram.set({ voidedAt: at, mergedInto, invoiceId }).where('id', '=', saleId).execute()
  await ofProgram.set({ mergedInto }).where('mergedInto', '=', saleId).execute()
  if (mergedInto !== null && grossCents !== null)
    await ofProgram.set({ grossCents }).where('id', '=', mergedInto).where('grossCents', 'is', null).execute()
}

type SoldSale = { programId: number; saleId: number; country?: string | null }

/** Fills in the country of each sale's click, and keeps it with the sale, because clicks are not kept for ever. */
export const keepCountries = async (tx: Tx, sales: SoldSale[]) => {
  if (sales.length === 0) return
  const column = columnsOf(sales)
  const { rows } = await sql<{ programId: number; saleId: number; country: string }>`
    UPDATE sales sale SET click_country = coalesce(${countryOfSale('sale')}, '')
    FROM unnest(${column('programId', 'integer')}, ${column('saleId', 'bigint')}) AS input(program_id, sale_id)
    WHERE sale.program_id = input.program_id AND sale.id = input.sale_id
    RETURNING sale.program_id, sale.id AS sale_id, sale.click_country AS country`.execute(withoutEvent(tx))
  const found = new Map(rows.map(({ programId, saleId, country }) => [`${programId} ${saleId}`, country]))
  for (const sale of sales) sale.country = found.get(`${sale.programId} ${sale.saleId}`) || null
}

type ErasedBuyer = { programId: number; customerKey: string | null; clickId: string | null; token: string }

/** Removes the customer key, in events too (forget-customer.ts), and the metadata. Amounts, invoice ID and credit stay. */
export const forgetBuyer = async (tx: Tx, { programId, customerKey, clickId, token }: ErasedBuyer) => {
  const { numUpdatedRows } = await withoutEvent(tx)
    .updateTable('sales')
    .set((e) => ({
      customerKey: e.case().when('customerKey', '=', customerKey).then(token).else(e.ref('customerKey')).end(),
      metadata: null,
    }))
    .where('programId', '=', programId)
    .where((e) => e.or([e('customerKey', '=', customerKey), e('clickId', '=', clickId)]))
    .where((e) => e.or([e('customerKey', '=', customerKey), e('metadata', 'is not', null)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
