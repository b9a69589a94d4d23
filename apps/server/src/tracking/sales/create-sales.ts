import type { UncreditedReason } from '@tributary/contract'
import { attributeSale, type SaleAttribution, type SaleFacts } from '../../attribution/attribute-sale.ts'
import type { Click } from '../../attribution/candidates.ts'
import { trustInKey } from '../../attribution/confirm-customer.ts'
import { type Customer, lockCustomerKeys, lockCustomersByClick, markBuyersWritten } from '../../customers/customers.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { clicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDaysWritten } from '../../events/roll-up/changed-days.ts'
import { type NewDecision, storeDecisions } from '../../explain/decisions.ts'
import { type LockedTerms, shareLockTerms } from '../../money/rewards/reward-terms.ts'
import { settingsAt } from '../../programs/programs.ts'
import { type Credit, insertSales, isUncredited, type NewSale, type SaleOutcome } from '../../sales/sales.ts'
import { type EarningSale, earnForSales } from '../commissions/earn-commissions.ts'
import type { RewardFacts } from '../commissions/reward-facts.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { toCustomerRecord } from '../leads/lead-call.ts'
import { type Buyer, loadBuyers } from './load-buyers.ts'
import { hashSaleRequest, type SaleCall } from './sale-call.ts'

export type RecordedSale = { saleId: number; reason: UncreditedReason | null; commissionId: number | null }

export type ReportedSale = { call: SaleCall; reportedBy: 'merchant' | 'processor'; soldAt: Date; at: Date }

/**
 * Attributes and stores sales and creates their commissions. A result is null if its invoice ID is already taken. Locks the reward
 * terms, unless the caller has.
 */
export const createSales = async (
  tx: Tx,
  hashKey: string,
  reported: ReportedSale[],
  locked?: LockedTerms,
): Promise<(RecordedSale | null)[]> => {
  const parties = reported.map(({ call, soldAt }) => ({ ...call, soldAt }))
  const lockedTerms = locked ?? (await shareLockTerms(tx, programIdsOf(parties)))
  const found = await loadFactsForSales(tx, hashKey, { named: parties, lockedTerms })
  const attributed = reported.map((one, index) => {
    const { customer, facts, isUnverified, reward } = found[index] as LoadedSale
    const result = attributeSale(facts)
    return { ...one, customer, facts, isUnverified, reward, result, credit: toCredit(result, customer) }
  })
  const inserted = await insertSales(
    tx,
    attributed.map(({ credit, ...one }) => ({ sale: toNewSale(hashKey, one), outcome: credit })),
    {
      at: reported[0]?.at ?? new Date(0),
      also: { marked: markDaysWritten, ...(attributed.some(isFirstSale) && { bought: markBuyersWritten }) },
    },
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

const isFirstSale = ({ customer, credit }: { customer: Customer | undefined; credit: SaleOutcome }) =>
  !isUncredited(credit) && customer?.customerStatus !== 'customer'

const programIdsOf = (named: SaleParties[]) => named.map(({ program }) => program.id)

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

type CreditedSale = CreatedSale & Pick<LoadedSale, 'customer' | 'isUnverified' | 'reward'> & { credit: Credit }

const toEarningSale = (sale: CreditedSale): EarningSale => {
  const { programId, saleId, credit, customer, call, soldAt, isUnverified, at } = sale
  const { amountCents, currency } = call
  return {
    programId,
    saleId,
    ...credit,
    amountCents,
    currency,
    soldAt,
    isUnverified,
    // A late report can be credited to an earlier partner of the customer.
    reward: credit.partnerId === customer?.partnerId ? sale.reward : undefined,
    at,
    decision: saleDecision(sale),
  }
}

type SaleParties = Pick<SaleCall, 'customerKey' | 'clickId' | 'program'> & { soldAt: Date }
type LoadedSale = {
  customer: Customer | undefined
  facts: SaleFacts
  isUnverified: boolean
  /** For the customer's partner, if the customer was found by key. */
  reward: RewardFacts | undefined
}

/** Loads the customers named in sales and the facts that attribution depends on. */
const loadFactsForSales = async (
  tx: Tx,
  hashKey: string,
  { named, lockedTerms }: { named: SaleParties[]; lockedTerms: LockedTerms },
): Promise<LoadedSale[]> => {
  const buyers = await findByKey(tx, hashKey, { named, lockedTerms })
  const trust = buyers.map((buyer, index) => buyer && trustInKey(buyer.customer, (named[index] as SaleParties).soldAt))
  const known = buyers.map((buyer, index) => (trust[index] === 'uncredited' ? undefined : buyer))
  const byClick = await findByClick(tx, named, known)
  return named.map(({ program, customerKey, clickId, soldAt }, index) => {
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
    const isUnverified = trust[index] === 'unverified'
    return { customer: buyer?.customer, facts, isUnverified, reward: known[index]?.reward }
  })
}

export const loadFactsForSale = async (tx: Tx, hashKey: string, named: SaleParties): Promise<LoadedSale> => {
  const lockedTerms = await shareLockTerms(tx, [named.program.id])
  const [found] = await loadFactsForSales(tx, hashKey, { named: [named], lockedTerms })
  return found as LoadedSale
}

/**
 * A lead holds its key's lock while it looks for waiting sales, and so does a confirmation while it looks for reviews. A sale of an
 * unknown or unverified customer therefore takes the lock and reads again, so neither misses it.
 */
const findByKey = async (
  tx: Tx,
  hashKey: string,
  { named, lockedTerms }: { named: SaleParties[]; lockedTerms: LockedTerms },
): Promise<(Buyer | undefined)[]> => {
  const keys = named.flatMap(({ program, customerKey, soldAt }, saleIndex) =>
    customerKey === null ? [] : [{ programId: program.id, customerKey, soldAt, saleIndex }],
  )
  if (keys.length === 0) return []
  const buyers = await loadBuyers(tx, hashKey, { lockedTerms, sales: keys })
  const toLock = keys.flatMap((key, keyIndex) =>
    buyers[keyIndex]?.customer.unverifiedSince === null ? [] : [{ ...key, keyIndex }],
  )
  if (toLock.length > 0) {
    await lockCustomerKeys(tx, toLock)
    const again = await loadBuyers(tx, hashKey, { lockedTerms, sales: toLock })
    for (const [index, { keyIndex }] of toLock.entries()) buyers[keyIndex] = again[index]
  }
  const found: (Buyer | undefined)[] = named.map(() => undefined)
  for (const [keyIndex, { saleIndex }] of keys.entries()) found[saleIndex] = buyers[keyIndex]
  return found
}

/** Falls back to the click for sales whose key identifies no customer. */
const findByClick = async (
  tx: Tx,
  named: SaleParties[],
  known: (Buyer | undefined)[],
): Promise<({ customer: Customer; clicks: Click[] } | undefined)[]> => {
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
