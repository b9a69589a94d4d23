import type { UncreditedReason } from '@tributary/contract'
import { attributeSale, type SaleAttribution, type SaleFacts } from '../../attribution/attribute-sale.ts'
import { trustInKey } from '../../attribution/confirm-customer.ts'
import { type Customer, lockCustomerKeys, lockCustomersByClick, markAsBuyers } from '../../customers/customers.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { clicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDaysWritten } from '../../events/roll-up/changed-days.ts'
import { type NewDecision, storeDecisions } from '../../explain/decisions.ts'
import type { LockedTerms } from '../../money/rewards/reward-terms.ts'
import { settingsAt } from '../../programs/programs.ts'
import { type Credit, insertSales, isUncredited, type NewSale, type SaleOutcome } from '../../sales/sales.ts'
import { type EarningSale, earnForSales } from '../commissions/earn-commissions.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { toCustomerRecord } from '../leads/lead-call.ts'
import { type Buyer, loadBuyers } from './load-buyers.ts'
import { hashSaleRequest, type SaleCall } from './sale-call.ts'

export type RecordedSale = { saleId: number; reason: UncreditedReason | null; commissionId: number | null }

export type ReportedSale = { call: SaleCall; reportedBy: 'merchant' | 'processor'; soldAt: Date; at: Date }

/** Attributes and stores sales and creates their commissions. A result is null if its invoice ID is already taken. */
export const createSales = async (
  tx: Tx,
  hashKey: string,
  reported: ReportedSale[],
): Promise<(RecordedSale | null)[]> => {
  const { found, lockedTerms } = await loadFactsForSales(
    tx,
    reported.map(({ call, soldAt }) => ({ ...call, soldAt })),
  )
  const attributed = reported.map((one, index) => {
    const { customer, facts, isUnverified } = found[index] as LoadedSale
    const result = attributeSale(facts)
    return { ...one, customer, facts, isUnverified, result, credit: toCredit(result, customer) }
  })
  const inserted = await insertSales(
    tx,
    attributed.map(({ credit, ...one }) => ({ sale: toNewSale(hashKey, one), outcome: credit })),
    markDaysWritten,
  )
  const created = attributed.flatMap((one, index) => {
    const row = inserted[index]
    return row ? [{ ...one, index, saleId: row.id, day: row.day, programId: one.call.program.id }] : []
  })
  const results: (RecordedSale | null)[] = reported.map(() => null)
  for (const { index, saleId, credit } of created)
    results[index] = { saleId, reason: isUncredited(credit) ? credit.reason : null, commissionId: null }
  await storeDecisions(tx, created.filter(({ credit }) => isUncredited(credit)).map(saleDecision))

  const credited = created.flatMap((one) => (isUncredited(one.credit) ? [] : [{ ...one, credit: one.credit }]))
  const buyers = credited.filter(({ customer }) => customer?.customerStatus !== 'customer')
  if (buyers.length > 0)
    await markAsBuyers(
      tx,
      buyers.map(({ programId, credit }) => ({ programId, clickId: credit.clickId })),
    )
  const earned =
    credited.length > 0 ? await earnForSales(tx, hashKey, { sales: credited.map(toEarningSale), lockedTerms }) : []
  for (const [creditedIndex, { commissionId, hasLater }] of earned.entries()) {
    const { index, saleId, programId, credit, soldAt, at } = credited[creditedIndex] as (typeof credited)[number]
    results[index] = { saleId, reason: null, commissionId }
    // A sale reported late or out of order may predate one that earned as the customer's first.
    if (soldAt < at || hasLater) await settleFirstSale(tx, hashKey, { programId, clickId: credit.clickId, at })
  }
  return results
}

const toNewSale = (hashKey: string, { call, reportedBy, soldAt }: ReportedSale): NewSale => {
  const { program, clickId: _, customerKey, ...sale } = call
  const programId = program.id
  return {
    ...sale,
    ...{ programId, customerKey, soldAt, reportedBy, timezone: program.timezone, requestHash: hashSaleRequest(call) },
    erasedKeyHash: customerKey === null ? null : erasedKeyHash(hashKey, { programId, customerKey }),
  }
}

type CreatedSale = ReportedSale & { programId: number; saleId: number; facts: SaleFacts; result: SaleAttribution }

const saleDecision = ({ programId, saleId, facts, result, at }: CreatedSale): NewDecision => ({
  ...{ programId, subject: 'sale', subjectId: saleId, of: { saleId } },
  ...{ rule: 'sale', facts, result, at },
})

const toEarningSale = (sale: CreatedSale & { credit: Credit; isUnverified: boolean }): EarningSale => {
  const { programId, saleId, credit, call, soldAt, isUnverified, at } = sale
  const { amountCents, currency } = call
  return {
    programId,
    saleId,
    ...credit,
    amountCents,
    currency,
    soldAt,
    isUnverified,
    at,
    priorDecisions: [saleDecision(sale)],
  }
}

type SaleParties = Pick<SaleCall, 'customerKey' | 'clickId' | 'program'> & { soldAt: Date }
type LoadedSale = { customer: Customer | undefined; facts: SaleFacts; isUnverified: boolean }

/** Loads the customers named in sales and the facts that attribution depends on. */
const loadFactsForSales = async (
  tx: Tx,
  named: SaleParties[],
): Promise<{ found: LoadedSale[]; lockedTerms?: LockedTerms }> => {
  const { buyers, lockedTerms } = await findByKey(tx, named)
  const trust = buyers.map((buyer, index) => buyer && trustInKey(buyer.customer, (named[index] as SaleParties).soldAt))
  const known = buyers.map((buyer, index) => (trust[index] === 'uncredited' ? undefined : buyer))
  const byClick = await findByClick(tx, named, known)
  const found = named.map(({ program, customerKey, clickId, soldAt }, index) => {
    const buyer = known[index] ?? byClick[index]
    const facts: SaleFacts = {
      when: 'at_the_sale',
      soldAt,
      ...settingsAt(program, soldAt),
      customer: customerKey === null ? 'absent' : known[index] ? 'known' : 'unknown',
      click: clickId === null || known[index] ? 'absent' : byClick[index] ? 'found' : 'unknown',
      record: buyer ? toCustomerRecord(buyer.customer) : null,
      clicks: buyer?.clicks ?? [],
    }
    return { customer: buyer?.customer, facts, isUnverified: trust[index] === 'unverified' }
  })
  return { found, lockedTerms }
}

export const loadFactsForSale = async (tx: Tx, named: SaleParties): Promise<LoadedSale> => {
  const { found } = await loadFactsForSales(tx, [named])
  return found[0] as LoadedSale
}

/**
 * A lead holds its key's lock while it looks for waiting sales, and so does a confirmation while it looks for reviews. A sale of an
 * unknown or unverified customer therefore takes the lock and reads again, so neither misses it.
 */
const findByKey = async (
  tx: Tx,
  named: SaleParties[],
): Promise<{ buyers: (Buyer | undefined)[]; lockedTerms?: LockedTerms }> => {
  const keys = named.flatMap(({ program, customerKey, soldAt }, saleIndex) =>
    customerKey === null ? [] : [{ programId: program.id, customerKey, soldAt, saleIndex }],
  )
  if (keys.length === 0) return { buyers: [] }
  const { buyers, lockedTerms } = await loadBuyers(tx, keys)
  const toLock = keys.flatMap((key, keyIndex) =>
    buyers[keyIndex]?.customer.unverifiedSince === null ? [] : [{ ...key, keyIndex }],
  )
  if (toLock.length > 0) {
    await lockCustomerKeys(tx, toLock)
    const again = await loadBuyers(tx, toLock)
    for (const [index, { keyIndex }] of toLock.entries()) buyers[keyIndex] = again.buyers[index]
  }
  const found: (Buyer | undefined)[] = named.map(() => undefined)
  for (const [keyIndex, { saleIndex }] of keys.entries()) found[saleIndex] = buyers[keyIndex]
  // Only if every sale has a key; otherwise some programs' terms are not locked.
  return { buyers: found, ...(keys.length === named.length && { lockedTerms }) }
}

/** Falls back to the click for sales whose key identifies no customer. */
const findByClick = async (
  tx: Tx,
  named: SaleParties[],
  known: (Buyer | undefined)[],
): Promise<((Omit<Buyer, 'customer'> & { customer: Customer }) | undefined)[]> => {
  const customers = await forSome(
    named.map(({ program, clickId }) => ({ programId: program.id, clickId: clickId ?? '' })),
    ({ clickId }, index) => clickId !== '' && !known[index],
    (some) => lockCustomersByClick(tx, some),
  )
  const records = named.map(({ program, soldAt: at }, index) => ({
    ...{ programId: program.id, at, record: customers[index] },
  }))
  const seen = await forSome(
    records,
    ({ record }) => record !== undefined,
    (some) => clicksOfRecords(tx, some as ((typeof some)[number] & { record: Customer })[]),
  )
  return customers.map((customer, index) => customer && { customer, clicks: seen[index]?.clicks ?? [] })
}

export const toCredit = ({ winner, reason }: SaleAttribution, customer: Customer | undefined): SaleOutcome => {
  if (!winner) return { reason }
  if (!customer) throw new Error('The sale has a winning click but no customer')
  return { clickId: customer.clickId, linkId: winner.linkId, partnerId: winner.partnerId }
}
