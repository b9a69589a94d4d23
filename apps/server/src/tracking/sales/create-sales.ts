import { createHash } from 'node:crypto'
import type { UncreditedReason } from '@tributary/contract'
import { sql } from 'kysely'
import {
  attributeSale,
  type Click,
  creditedFor,
  type SaleAttribution,
  type SaleFacts,
} from '../../attribution/attribution.ts'
import type { CodeFacts } from '../../attribution/codes.ts'
import { trustInKey } from '../../attribution/confirm-customer.ts'
import { evidenceOfSale, suspicionsOf } from '../../attribution/evidence.ts'
import type { Recorder } from '../../clock.ts'
import {
  bindToCodes,
  type CodeCustomer,
  type Customer,
  customerOfKey,
  type KnownCustomer,
  lockCustomerKeys,
  lockCustomersByClick,
  markBuyersWritten,
  recordOfCode,
  toCustomerRecord,
} from '../../customers/customers.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import { type FoundLead, findLeadsByClick } from '../../customers/leads.ts'
import { payersOf } from '../../customers/payer-mailboxes.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Json } from '../../database/tables.ts'
import type { Tx } from '../../database/transaction.ts'
import { findClicksOfRecords, relevantClicks, toClick } from '../../events/clicks-of-record.ts'
import { markDaysWritten } from '../../events/roll-up/changed-days.ts'
import { type NewDecision, storeDecisions } from '../../explain/decisions.ts'
import {
  findFirstSalePrograms,
  type LockedTerms,
  requireLocked,
  shareLockTerms,
  termsOfEvent,
} from '../../money/rewards/reward-terms.ts'
import type { SaleItems } from '../../money/rewards/rules.ts'
import { isLeadOfVisit, isVisit } from '../../partners/partner-visits.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'
import { type Credit, insertSales, isUncredited, type NewSale, type SaleOutcome } from '../../sales/sales.ts'
import { newClickId } from '../clicks/click-ids.ts'
import { type CodeOnEvent, findStatedCodes } from '../codes/stated-codes.ts'
import {
  type EarningSale,
  earnForSales,
  lockedPartners,
  type RewardFacts,
  type RewardRow,
  toRewardFacts,
} from '../commissions/earn-commissions.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { creditSalesAfterCode } from './credit-sales-after-code.ts'

export type RecordedSale = {
  saleId: number
  reason: UncreditedReason | null
  commissionId: number | null
  /** Absent from responses stored before there were other credits. */
  creditedBy?: Credit['creditSource'] | null
}

/** A sale to record. `recorded` is filled in, unless its invoice ID is already taken. */
export type ReportedSale = SaleCall & {
  reportedBy: 'merchant' | 'processor'
  soldAt: Date
  at: Date
  /** Since when the payer belongs to the record of `clickId`. */
  boundAt?: Date | undefined
  /** The promotion codes that the payment was made with, in the processor's order. */
  codes: CodeOnEvent[]
  recorded?: RecordedSale
  /** Filled in: the credited record. */
  creditedTo?: string
}

type AttributedSale = ReportedSale &
  LoadedSale & {
    result: SaleAttribution
    credit: SaleOutcome
    /** The record that the sale's promotion code creates, or brings forward. */
    coded: CodeCustomer | null
  }
type StoredSale = AttributedSale & { saleId: number }

/**
 * Attributes and stores sales and creates their commissions. Locks the reward terms, unless the caller has.
 */
export const createSales = async (
  tx: Tx,
  { hashKey, cell }: SaleRecorder,
  sales: ReportedSale[],
  locked?: LockedTerms,
) => {
  const lockedTerms =
    locked ??
    (await shareLockTerms(
      tx,
      sales.map(({ program }) => program.id),
    ))
  const attributed = (await loadSaleFacts(tx, hashKey, { sales, lockedTerms })).map((sale): AttributedSale => {
    const result = attributeSale(sale.facts)
    const coded = toCodeCustomer(sale, result, cell)
    const customer = coded ? recordOfCode(coded) : sale.customer
    return Object.assign(sale, { result, coded, credit: toCredit(result, { customer, facts: sale.facts }) })
  })
  shareRecords(attributed)
  const stored = await storeSales(tx, hashKey, attributed)
  await storeDecisions(tx, stored.filter(({ credit }) => isUncredited(credit)).map(saleDecision))
  const earning = stored.flatMap((sale) => (isUncredited(sale.credit) ? [] : [toEarningSale(sale, sale.credit)]))
  if (earning.length > 0) await earnForSales(tx, hashKey, { sales: earning, lockedTerms })
  for (const { sale, commissionId = null } of earning) {
    const { creditSource: creditedBy } = sale.credit as Credit
    sale.recorded = { saleId: sale.saleId, reason: null, commissionId, creditedBy }
  }
  // A sale reported late or out of order may predate one that earned as the customer's first.
  const early = earning.filter(({ soldAt, at, first }) => soldAt < at || first?.hasLater)
  const limited = await findFirstSalePrograms(
    tx,
    early.map(({ programId }) => programId),
  )
  for (const { programId, clickId, at } of early)
    if (limited.has(programId)) await settleFirstSale(tx, hashKey, { programId, clickId, at })
  // Sales of the customer that were reported before this one, but made after it.
  const late = stored.flatMap(({ coded, program, soldAt, at }) =>
    coded && soldAt < at ? [{ ...coded, program, at }] : [],
  )
  for (const customer of late) await creditSalesAfterCode(tx, hashKey, customer)
}

export type SaleRecorder = Pick<Recorder, 'hashKey' | 'cell'>

/** The record of a customer whom a sale's code binds. A customer who has one already keeps it. */
export const toCodeCustomer = (
  { program, customerKey, soldAt, customer, facts, canBindKey }: NamedSale & LoadedSale,
  { winner, reason }: SaleAttribution,
  cell?: string,
): CodeCustomer | null => {
  if (reason !== 'code_used' || winner?.codeId === undefined) return null
  const isBound = facts.customer === 'known' || facts.customer === 'bound'
  if (isBound && customer?.creditSource !== 'code') return null
  const { codeId, partnerId } = winner
  const known = isBound ? customer : undefined
  return {
    programId: program.id,
    clickId: known?.clickId ?? newClickId(program.id, soldAt, cell),
    customerKey: canBindKey && !known ? customerKey : null,
    codeId,
    partnerId,
    usedAt: soldAt,
  }
}

/** Sales of one new customer in a batch get one record. */
const shareRecords = (sales: AttributedSale[]) => {
  const byKey = new Map<string, CodeCustomer>()
  for (const sale of sales) {
    const { coded, credit } = sale
    if (!coded || coded.customerKey === null || isUncredited(credit)) continue
    const name = `${coded.programId} ${coded.customerKey}`
    const first = byKey.get(name)
    byKey.set(name, first ?? coded)
    if (!first) continue
    sale.coded = null
    sale.credit = { ...credit, clickId: first.clickId }
  }
}

/** Returns the sales whose invoice ID was free. */
const storeSales = async (tx: Tx, hashKey: string, sales: AttributedSale[]): Promise<StoredSale[]> => {
  const rows = sales.map((sale): NewSale & { sale: AttributedSale } => ({ sale, ...toNewSale(hashKey, sale) }))
  const coded = sales.flatMap((sale) => sale.coded ?? [])
  await insertSales(tx, rows, {
    at: sales[0]?.at ?? new Date(0),
    parts: {
      ...(coded.length > 0 && bindToCodes(coded)),
      marked: markDaysWritten,
      ...(sales.some(isFirstSale) && { bought: markBuyersWritten }),
    },
  })
  return rows.flatMap(({ sale, saleId }) => {
    if (saleId === undefined) return []
    const reason = isUncredited(sale.credit) ? sale.credit.reason : null
    sale.recorded = { saleId, reason, commissionId: null, creditedBy: null }
    if (!isUncredited(sale.credit)) sale.creditedTo = sale.credit.clickId
    return [Object.assign(sale, { saleId })]
  })
}

const isFirstSale = ({ customer, credit }: AttributedSale) =>
  !isUncredited(credit) && customer?.customerStatus !== 'customer'

const toNewSale = (hashKey: string, sale: AttributedSale): NewSale => {
  const { program, invoiceId, customerKey, amountCents, grossCents, items, currency, eventName, subscriptionId } = sale
  const { metadata } = sale
  const { soldAt, reportedBy, credit: outcome } = sale
  const programId = program.id
  const key = customerKey === null ? null : erasedKeyHash(hashKey, { programId, customerKey })
  return {
    programId,
    invoiceId,
    customerKey,
    amountCents,
    grossCents: grossCents ?? null,
    items: items ?? null,
    currency,
    eventName,
    subscriptionId,
    metadata,
    soldAt,
    reportedBy,
    promotionCode: statedCode(sale),
    timezone: program.timezone,
    requestHash: hashSaleRequest(sale),
    erasedKeyHash: key,
    outcome,
  }
}

/** The code that credits the sale, else the first whose text is known. */
export const statedCode = ({ result, codes }: { result: SaleAttribution; codes: CodeOnEvent[] }) =>
  result.winner?.code ?? codes.find(({ isPending }) => !isPending)?.code ?? null

const saleDecision = ({ program, saleId, facts, result, at }: StoredSale): NewDecision => ({
  programId: program.id,
  subject: 'sale',
  subjectId: saleId,
  of: { saleId },
  rule: 'sale',
  facts,
  result,
  at,
})

const toEarningSale = (sale: StoredSale, credit: Credit): EarningSale & { sale: StoredSale } => {
  const { program, saleId, customer, amountCents, items, currency, soldAt, isUnverified, at } = sale
  return {
    sale,
    programId: program.id,
    saleId,
    clickId: credit.clickId,
    partnerId: credit.partnerId,
    amountCents,
    items,
    currency,
    soldAt,
    isUnverified,
    evidence: suspicionsOf(program, credit.evidence),
    // A late report can be credited to an earlier partner of the customer.
    reward: credit.partnerId === customer?.partnerId ? sale.reward : undefined,
    at,
    decision: saleDecision(sale),
  }
}

type Attributed = { customer: Customer | undefined; facts: SaleFacts }

export const toCredit = ({ winner, reason }: SaleAttribution, { customer, facts }: Attributed): SaleOutcome => {
  if (!winner) return { reason }
  if (!customer) throw new Error('The sale has a winning click but no customer')
  const { clickId } = customer
  return {
    clickId,
    ...creditedFor(winner),
    partnerId: winner.partnerId,
    evidence: evidenceOfSale({ ...facts, winner }),
  }
}

type NamedSale = {
  program: Program
  customerKey: string | null
  clickId: string | null
  soldAt: Date
  boundAt?: Date | undefined
  codes?: CodeOnEvent[]
  /** The sale itself, if it exists. */
  saleId?: number | undefined
}

type LoadedSale = {
  facts: SaleFacts
  customer: Customer | undefined
  isUnverified: boolean
  /** No record has the customer key. */
  canBindKey: boolean
  /** For the customer's partner, if the customer was found by key. */
  reward: RewardFacts | undefined
}

/** Fills in the customers named in sales and the facts that attribution depends on. Returns the same sales. */
const loadSaleFacts = async <Sale extends NamedSale>(
  tx: Tx,
  hashKey: string,
  { sales, lockedTerms }: { sales: Sale[]; lockedTerms: LockedTerms },
): Promise<(Sale & LoadedSale)[]> => {
  const rows = sales.map((sale): NamedRow => ({ ...sale, programId: sale.program.id }))
  await findByKey(tx, hashKey, { rows: rows.filter(hasKey), lockedTerms })
  await compareWithBindings(tx, rows)
  const unknown = rows.filter((row) => !isTrusted(row)).filter(hasClick)
  await findByClick(tx, unknown)
  await findCodes(tx, rows)
  return sales.map((sale, index) => Object.assign(sale, toLoadedSale(rows[index] as NamedRow)))
}

export const loadFactsForSale = async (tx: Tx, hashKey: string, named: NamedSale): Promise<LoadedSale> => {
  const lockedTerms = await shareLockTerms(tx, [named.program.id])
  const [found] = await loadSaleFacts(tx, hashKey, { sales: [{ ...named }], lockedTerms })
  return found as LoadedSale
}

type Buyer = { customer: KnownCustomer; clicks: Click[]; reward: RewardFacts }

/** What is found for a sale: the buyer by its key, the record and its clicks by its click. */
type NamedRow = NamedSale & {
  programId: number
  buyer?: Buyer | undefined
  record?: Customer | undefined
  clicks?: Click[]
  /** The processor's customer was bound before the key was. */
  isBoundFirst?: boolean
  codeFacts?: CodeFacts
}

/** Events without a code, which are almost all, cost nothing. */
const findCodes = async (tx: Tx, rows: NamedRow[]) => {
  const stated = rows.flatMap((row) =>
    row.codes && row.codes.length > 0 ? [{ ...row, row, codes: row.codes, at: row.soldAt }] : [],
  )
  if (stated.length === 0) return
  await findStatedCodes(tx, stated)
  for (const { row, codeFacts } of stated) if (codeFacts) row.codeFacts = codeFacts
}

const hasKey = (row: NamedRow): row is NamedRow & { customerKey: string } => row.customerKey !== null
const hasClick = (row: NamedRow): row is NamedRow & { clickId: string } => row.clickId !== null && row.clickId !== ''

const trustOf = ({ buyer, soldAt }: NamedRow) => buyer && trustInKey(buyer.customer, soldAt)
/** The key decides whose sale it is. */
const isTrusted = (row: NamedRow) => row.buyer !== undefined && !row.isBoundFirst && trustOf(row) !== 'uncredited'

/** If the key belongs to one record and the processor's customer to another, the earlier of the two decides. */
const compareWithBindings = async (tx: Tx, rows: NamedRow[]) => {
  const contested = rows.flatMap((row) => {
    const { programId, buyer, boundAt, clickId } = row
    const isContested = buyer !== undefined && boundAt !== undefined && buyer.customer.clickId !== clickId
    return isContested ? [{ row, programId, boundAt, clickId: buyer.customer.clickId }] : []
  })
  if (contested.length === 0) return
  const leads: ((typeof contested)[number] & { lead?: FoundLead | undefined })[] = contested
  await findLeadsByClick(tx, leads)
  for (const { row, boundAt, lead } of leads) row.isBoundFirst = !lead?.settledAt || boundAt < lead.settledAt
}

const toLoadedSale = (row: NamedRow): LoadedSale => {
  const { program, customerKey, clickId, soldAt, boundAt, record, clicks = [] } = row
  const buyer = isTrusted(row) ? row.buyer : undefined
  const customer = buyer?.customer ?? record
  const isBound = !buyer && record !== undefined && boundAt !== undefined
  return {
    customer,
    facts: {
      when: 'at_the_sale',
      soldAt,
      ...settingsAt(program, soldAt),
      customer: isBound ? 'bound' : customerKey === null ? 'absent' : buyer ? 'known' : 'unknown',
      click: clickId === null || buyer || isBound ? 'absent' : record ? 'found' : 'unknown',
      record: customer ? toCustomerRecord(customer) : null,
      clicks: buyer?.clicks ?? clicks,
      ...row.codeFacts,
    },
    canBindKey: customerKey !== null && row.buyer === undefined,
    isUnverified: buyer !== undefined && trustOf(row) === 'unverified',
    reward: buyer?.reward,
  }
}

type KeyedRow = NamedRow & { customerKey: string }

/**
 * A lead holds its key's lock while it looks for waiting sales, and so does a confirmation while it looks for reviews. A sale of an
 * unknown or unverified customer therefore takes the lock and reads again, so neither misses it.
 */
const findByKey = async (
  tx: Tx,
  hashKey: string,
  { rows, lockedTerms }: { rows: KeyedRow[]; lockedTerms: LockedTerms },
) => {
  if (rows.length === 0) return
  requireLocked(lockedTerms, rows)
  await findBuyers(tx, hashKey, rows)
  const toLock = rows.filter(({ buyer }) => buyer?.customer.unverifiedSince !== null)
  if (toLock.length === 0) return
  await lockCustomerKeys(tx, toLock)
  await findBuyers(tx, hashKey, toLock)
}

type BuyerRow = KnownCustomer &
  RewardRow & {
    seenId: string | null
    seenLinkId: number
    seenPartnerId: number
    seenAt: Date
    seenEvidence: number | null
  }

/**
 * Fills in the customers with these keys, the clicks that count at the time of each sale, and what decides the commission of the
 * customer's partner. The key lock makes an erasure wait, so that it finds the sale. Share-locks the partners.
 */
const findBuyers = async (tx: Tx, hashKey: string, sales: KeyedRow[]) => {
  const column = columnsOf(sales)
  const { rows } = await sql<BuyerRow>`
    WITH event AS MATERIALIZED (
      SELECT position, sold_at AS at, input.program_id, customer.*
      FROM unnest(${column('programId', 'integer')}, ${column('customerKey', 'text')}, ${column('soldAt', 'timestamptz')})
        WITH ORDINALITY AS input(program_id, customer_key, sold_at, position)
      CROSS JOIN LATERAL (${customerOfKey(sql`FOR KEY SHARE`)}) customer),
    partner AS MATERIALIZED (${lockedPartners})
    SELECT record.*, terms.*, partner.status, partner.emails, partner.destination, ${payersOf('event')} AS payers,
      CASE WHEN click.id IS NULL THEN ${isLeadOfVisit} ELSE ${isVisit(sql`click.visitor_hash`)} END AS is_seen_as_partner, click.id AS seen_id, click.link_id AS seen_link_id,
      click.partner_id AS seen_partner_id, click.clicked_at AS seen_at,
      click.evidence AS seen_evidence
    FROM event CROSS JOIN LATERAL (SELECT event.*) record
    JOIN partner ON partner.program_id = event.program_id AND partner.id = event.partner_id
    LEFT JOIN LATERAL (${termsOfEvent}) terms ON true
    LEFT JOIN LATERAL (${relevantClicks}) click ON true
    ORDER BY position, click.clicked_at, click.id`.execute(tx)
  const bySale = Map.groupBy(rows, ({ position }) => position)
  for (const [index, sale] of sales.entries()) sale.buyer = toBuyer(hashKey, bySale.get(index + 1) ?? [])
}

const toBuyer = (hashKey: string, rows: BuyerRow[]): Buyer | undefined => {
  const [first] = rows
  if (!first) return undefined
  const clicks = rows.flatMap(({ seenId: id, seenLinkId: linkId, seenPartnerId: partnerId, ...seen }) =>
    id === null ? [] : [toClick({ id, linkId, partnerId, clickedAt: seen.seenAt, evidence: seen.seenEvidence })],
  )
  const isSeenAsPartner = rows.some((row) => row.isSeenAsPartner)
  return { customer: first, clicks, reward: toRewardFacts(hashKey, { ...first, isSeenAsPartner }) }
}

/** Falls back to the click for sales whose key identifies no customer. */
const findByClick = async (tx: Tx, rows: (NamedRow & { clickId: string })[]) => {
  await lockCustomersByClick(tx, rows)
  const found = rows.flatMap(({ programId, record, soldAt: at }, index) =>
    record ? [{ programId, record, at, row: rows[index] as NamedRow, clicks: [] as Click[] }] : [],
  )
  await findClicksOfRecords(tx, found)
  for (const { row, clicks } of found) row.clicks = clicks
}

export type SaleCall = {
  program: Program
  invoiceId: string
  customerKey: string | null
  clickId: string | null
  /** Without tax. */
  amountCents: number
  /** With tax, if the merchant stated a tax. */
  grossCents?: number | null | undefined
  /** What was sold, if it is known. */
  items?: SaleItems | null | undefined
  currency: string
  eventName: string | null
  subscriptionId: string | null
  metadata: Json
  /** As the merchant states it. */
  promotionCode?: string | null | undefined
}

type SaleRequest = Omit<SaleCall, 'program'>

/**
 * Distinguishes a retry from a different sale with the same invoice ID. Metadata keys are sorted, because a merchant who reads
 * metadata from a database may send them in a different order on retry.
 */
export const hashSaleRequest = (request: SaleRequest) => hashFields(request, sortKeys(request.metadata))

/** Older sales were hashed with unsorted metadata, so both hashes are accepted. */
export const isSameRequest = (request: SaleRequest, storedHash: Uint8Array) =>
  [hashSaleRequest(request), hashFields(request, request.metadata)].some((hash) => hash.equals(storedHash))

const hashFields = (request: SaleRequest, metadata: Json) => {
  const { invoiceId, customerKey, clickId, amountCents, grossCents, items, currency, eventName, subscriptionId } =
    request
  const amount = grossCents ?? amountCents
  const fields = [invoiceId, customerKey, clickId, amount, currency, eventName, subscriptionId, metadata]
  // Only if there is a tax, because sales without one have always been hashed without it.
  if (amount !== amountCents) fields.push(amount - amountCents)
  if (request.promotionCode) fields.push({ code: request.promotionCode })
  if (items) fields.push({ items })
  return createHash('sha256').update(JSON.stringify(fields)).digest()
}

/** Sorts object keys at every level. */
export const sortKeys = (value: Json): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortKeys)
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key] as Json)]))
}
