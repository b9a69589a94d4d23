import type { UncreditedReason } from '@tributary/contract'
import { attributeSale, type SaleAttribution, type SaleFacts } from '../../attribution/attribute-sale.ts'
import { trustInKey } from '../../attribution/confirm-customer.ts'
import { type Customer, lockCustomerKeys, lockCustomersByClick, markAsBuyers } from '../../customers/customers.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { clicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDaysWritten } from '../../events/roll-up/changed-days.ts'
import { keepDecisions, type NewDecision } from '../../explain/decisions.ts'
import type { HeldTerms } from '../../money/rewards/reward-terms.ts'
import { settingsAt } from '../../programs/programs.ts'
import { type Credit, insertSales, type NewSale } from '../../sales/sales.ts'
import { factsOfCustomer } from '../leads/facts-of-customer.ts'
import { earnForSales, type SaleEvent } from './earn-commission.ts'
import { type Buyer, loadBuyers } from './load-buyers.ts'
import { requestHashOf, type SaleCall } from './sale-call.ts'
import { settleFirstSale } from './settle-first-sale.ts'

export type RecordedSale = { saleId: number; reason: UncreditedReason | null; commissionId: number | null }

export type Making = { call: SaleCall; reportedBy: 'merchant' | 'processor'; soldAt: Date; at: Date }

/** Whose each is, the sale itself, its commission. Null where an invoice was used before. */
export const makeSales = async (tx: Tx, hashKey: string, making: Making[]): Promise<(RecordedSale | null)[]> => {
  const { found, held } = await factsOfSales(
    tx,
    making.map(({ call, soldAt }) => ({ ...call, soldAt })),
  )
  const attributed = making.map((one, place) => {
    const { customer, facts, isUnverified } = found[place] as FactsOfSale
    const result = attributeSale(facts)
    return { ...one, customer, facts, isUnverified, result, credit: creditBy(result, customer) }
  })
  const inserted = await insertSales(
    tx,
    attributed.map(({ credit, ...one }) => ({ sale: rowOf(hashKey, one), outcome: credit })),
    markDaysWritten,
  )
  const made = attributed.flatMap((one, place) => {
    const row = inserted[place]
    return row ? [{ ...one, place, saleId: row.id, day: row.day, programId: one.call.program.id }] : []
  })
  const answers: (RecordedSale | null)[] = making.map(() => null)
  for (const { place, saleId, credit } of made)
    answers[place] = { saleId, reason: 'reason' in credit ? credit.reason : null, commissionId: null }
  await keepDecisions(tx, made.filter(({ credit }) => 'reason' in credit).map(decisionOf))

  const credited = made.flatMap((one) => ('reason' in one.credit ? [] : [{ ...one, credit: one.credit }]))
  const buyers = credited.filter(({ customer }) => customer?.customerStatus !== 'customer')
  if (buyers.length > 0)
    await markAsBuyers(
      tx,
      buyers.map(({ programId, credit }) => ({ programId, clickId: credit.clickId })),
    )
  const earned = credited.length > 0 ? await earnForSales(tx, hashKey, { sales: credited.map(saleEventOf), held }) : []
  for (const [nth, { commissionId, hasLater }] of earned.entries()) {
    const { place, saleId, programId, credit, soldAt, at } = credited[nth] as (typeof credited)[number]
    answers[place] = { saleId, reason: null, commissionId }
    // Told late, or a moment later than one that was made with it, it may have been before others that earned as the first.
    if (soldAt < at || hasLater) await settleFirstSale(tx, hashKey, { programId, clickId: credit.clickId, at })
  }
  return answers
}

const rowOf = (hashKey: string, { call, reportedBy, soldAt }: Making): NewSale => {
  const { program, clickId: _, customerKey, ...sale } = call
  const programId = program.id
  return {
    ...sale,
    ...{ programId, customerKey, soldAt, reportedBy, timezone: program.timezone, requestHash: requestHashOf(call) },
    erasedKeyHash: customerKey === null ? null : erasedKeyHash(hashKey, { programId, customerKey }),
  }
}

type Made = Making & { programId: number; saleId: number; facts: SaleFacts; result: SaleAttribution }

const decisionOf = ({ programId, saleId, facts, result, at }: Made): NewDecision => ({
  ...{ programId, subject: 'sale', subjectId: saleId, of: { saleId } },
  ...{ rule: 'sale', facts, result, at },
})

const saleEventOf = (made: Made & { credit: Credit; isUnverified: boolean }): SaleEvent => {
  const { programId, saleId, credit, call, soldAt, isUnverified, at } = made
  const { amountCents, currency } = call
  return { programId, saleId, ...credit, amountCents, currency, soldAt, isUnverified, at, ledTo: [decisionOf(made)] }
}

type Named = Pick<SaleCall, 'customerKey' | 'clickId' | 'program'> & { soldAt: Date }
type FactsOfSale = { customer: Customer | undefined; facts: SaleFacts; isUnverified: boolean }

/** The customers whom sales name, and all that decides whether the sales are theirs. */
export const factsOfSales = async (tx: Tx, named: Named[]): Promise<{ found: FactsOfSale[]; held?: HeldTerms }> => {
  const { buyers, held } = await findByKey(tx, named)
  const trust = buyers.map((buyer, place) => buyer && trustInKey(buyer.customer, (named[place] as Named).soldAt))
  const known = buyers.map((buyer, place) => (trust[place] === 'uncredited' ? undefined : buyer))
  const byClick = await findByClick(tx, named, known)
  const found = named.map(({ program, customerKey, clickId, soldAt }, place) => {
    const buyer = known[place] ?? byClick[place]
    const facts: SaleFacts = {
      when: 'at_the_sale',
      soldAt,
      ...settingsAt(program, soldAt),
      customer: customerKey === null ? 'absent' : known[place] ? 'known' : 'unknown',
      click: clickId === null || known[place] ? 'absent' : byClick[place] ? 'found' : 'unknown',
      record: buyer ? factsOfCustomer(buyer.customer) : null,
      clicks: buyer?.clicks ?? [],
    }
    return { customer: buyer?.customer, facts, isUnverified: trust[place] === 'unverified' }
  })
  return { found, held }
}

export const factsOfSale = async (tx: Tx, named: Named): Promise<FactsOfSale> => {
  const { found } = await factsOfSales(tx, [named])
  return found[0] as FactsOfSale
}

/**
 * A lead that is being recorded holds the lock of its key while it looks for waiting sales, and so does a confirmation while it looks
 * for reviews. A sale of an unknown or unverified customer therefore takes that lock and looks again.
 */
const findByKey = async (tx: Tx, named: Named[]): Promise<{ buyers: (Buyer | undefined)[]; held?: HeldTerms }> => {
  const keys = named.flatMap(({ program, customerKey, soldAt }, place) =>
    customerKey === null ? [] : [{ programId: program.id, customerKey, soldAt, place }],
  )
  if (keys.length === 0) return { buyers: [] }
  const { buyers, held } = await loadBuyers(tx, keys)
  const open = keys.flatMap((key, nth) => (buyers[nth]?.customer.unverifiedSince === null ? [] : [{ ...key, nth }]))
  if (open.length > 0) {
    await lockCustomerKeys(tx, open)
    const again = await loadBuyers(tx, open)
    for (const [at, { nth }] of open.entries()) buyers[nth] = again.buyers[at]
  }
  const found: (Buyer | undefined)[] = named.map(() => undefined)
  for (const [nth, { place }] of keys.entries()) found[place] = buyers[nth]
  return { buyers: found, ...(keys.length === named.length && { held }) }
}

/** Where the key does not say whose a sale is, the click may. */
const findByClick = async (
  tx: Tx,
  named: Named[],
  known: (Buyer | undefined)[],
): Promise<((Omit<Buyer, 'customer'> & { customer: Customer }) | undefined)[]> => {
  const customers = await forSome(
    named.map(({ program, clickId }) => ({ programId: program.id, clickId: clickId ?? '' })),
    ({ clickId }, place) => clickId !== '' && !known[place],
    (some) => lockCustomersByClick(tx, some),
  )
  const records = named.map(({ program, soldAt: at }, place) => ({
    ...{ programId: program.id, at, record: customers[place] },
  }))
  const seen = await forSome(
    records,
    ({ record }) => record !== undefined,
    (some) => clicksOfRecords(tx, some as ((typeof some)[number] & { record: Customer })[]),
  )
  return customers.map((customer, place) => customer && { customer, clicks: seen[place]?.clicks ?? [] })
}

export const creditBy = (
  { winner, reason }: SaleAttribution,
  customer: Customer | undefined,
): Credit | { reason: UncreditedReason } => {
  if (!winner) return { reason }
  if (!customer) throw new Error('a sale is credited to a customer')
  return { clickId: customer.clickId, linkId: winner.linkId, partnerId: winner.partnerId }
}
