import { sql } from 'kysely'
import type { SaleFacts } from '../../attribution/attribute-sale.ts'
import type { Click } from '../../attribution/candidates.ts'
import { trustInKey } from '../../attribution/confirm-customer.ts'
import {
  type Customer,
  customerOfKey,
  type KnownCustomer,
  lockCustomerKeys,
  lockCustomersByClick,
  toCustomerRecord,
} from '../../customers/customers.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { findClicksOfRecords, relevantClicks } from '../../events/clicks-of-record.ts'
import { type LockedTerms, requireLocked, shareLockTerms, termsOfEvent } from '../../money/rewards/reward-terms.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'
import { lockedPartners, type RewardFacts, type RewardRow, toRewardFacts } from '../commissions/reward-facts.ts'

type NamedSale = { program: Program; customerKey: string | null; clickId: string | null; soldAt: Date }

export type LoadedSale = {
  facts: SaleFacts
  customer: Customer | undefined
  isUnverified: boolean
  /** For the customer's partner, if the customer was found by key. */
  reward: RewardFacts | undefined
}

/** Fills in the customers named in sales and the facts that attribution depends on. Returns the same sales. */
export const loadSaleFacts = async <Sale extends NamedSale>(
  tx: Tx,
  hashKey: string,
  { sales, lockedTerms }: { sales: Sale[]; lockedTerms: LockedTerms },
): Promise<(Sale & LoadedSale)[]> => {
  const rows = sales.map((sale): NamedRow => ({ ...sale, programId: sale.program.id }))
  await findByKey(tx, hashKey, { rows: rows.filter(hasKey), lockedTerms })
  const unknown = rows.filter((row) => !isTrusted(row)).filter(hasClick)
  await findByClick(tx, unknown)
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
}

const hasKey = (row: NamedRow): row is NamedRow & { customerKey: string } => row.customerKey !== null
const hasClick = (row: NamedRow): row is NamedRow & { clickId: string } => row.clickId !== null && row.clickId !== ''

const trustOf = ({ buyer, soldAt }: NamedRow) => buyer && trustInKey(buyer.customer, soldAt)
/** The key decides whose sale it is. */
const isTrusted = (row: NamedRow) => row.buyer !== undefined && trustOf(row) !== 'uncredited'

const toLoadedSale = (row: NamedRow): LoadedSale => {
  const { program, customerKey, clickId, soldAt, record, clicks = [] } = row
  const buyer = isTrusted(row) ? row.buyer : undefined
  const customer = buyer?.customer ?? record
  return {
    customer,
    facts: {
      when: 'at_the_sale',
      soldAt,
      ...settingsAt(program, soldAt),
      customer: customerKey === null ? 'absent' : buyer ? 'known' : 'unknown',
      click: clickId === null || buyer ? 'absent' : record ? 'found' : 'unknown',
      record: customer ? toCustomerRecord(customer) : null,
      clicks: buyer?.clicks ?? clicks,
    },
    isUnverified: trustOf(row) === 'unverified',
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
    SELECT record.*, terms.*, partner.status, partner.emails, click.id AS seen_id, click.link_id AS seen_link_id,
      click.partner_id AS seen_partner_id, click.clicked_at AS seen_at
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
  const clicks = rows.flatMap(({ seenId: id, seenLinkId: linkId, seenPartnerId: partnerId, seenAt: clickedAt }) =>
    id === null ? [] : [{ id, linkId, partnerId, clickedAt }],
  )
  return { customer: first, clicks, reward: toRewardFacts(hashKey, first) }
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
