import type { UncreditedReason } from '@tributary/contract'
import { attributeSale, type SaleAttribution, type SaleFacts } from '../../attribution/attribute-sale.ts'
import { trustInKey } from '../../attribution/confirm-customer.ts'
import {
  type Customer,
  findCustomersByKey,
  type KnownCustomer,
  lockCustomerKeys,
  lockCustomersByClick,
  markAsBuyers,
} from '../../customers/customers.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import { forOne, forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { clicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { keepDecisions, type NewDecision } from '../../explain/decisions.ts'
import { type Credit, insertSales, type NewSale } from '../../sales/sales.ts'
import { factsOfCustomer } from '../leads/facts-of-customer.ts'
import { earnForSales, type SaleEvent } from './earn-commission.ts'
import { requestHashOf, type SaleCall } from './sale-call.ts'
import { settleFirstSale } from './settle-first-sale.ts'

export type RecordedSale = { saleId: number; reason: UncreditedReason | null; commissionId: number | null }

export type Making = { call: SaleCall; reportedBy: 'merchant' | 'processor'; soldAt: Date; at: Date }

/** Whose each is, the sale itself, its commission. Null where an invoice was used before. */
export const makeSales = async (tx: Tx, hashKey: string, making: Making[]): Promise<(RecordedSale | null)[]> => {
  const found = await factsOfSales(
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
  await markDays(tx, credited)
  const buyers = credited.filter(({ customer }) => customer?.customerStatus !== 'customer')
  if (buyers.length > 0)
    await markAsBuyers(
      tx,
      buyers.map(({ programId, credit }) => ({ programId, clickId: credit.clickId })),
    )
  const earned = credited.length > 0 ? await earnForSales(tx, hashKey, credited.map(saleEventOf)) : []
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
export const factsOfSales = async (tx: Tx, named: Named[]): Promise<FactsOfSale[]> => {
  const found = await findByKey(tx, named)
  const trust = found.map((customer, place) => customer && trustInKey(customer, (named[place] as Named).soldAt))
  const known = found.map((customer, place) => (trust[place] === 'uncredited' ? undefined : customer))
  const byClick = await forSome(
    named.map(({ program, clickId }) => ({ programId: program.id, clickId: clickId ?? '' })),
    ({ clickId }, place) => clickId !== '' && !known[place],
    (some) => lockCustomersByClick(tx, some),
  )
  const records = named.map(({ program, soldAt }, place) => ({
    ...{ programId: program.id, at: soldAt, record: known[place] ?? byClick[place] },
  }))
  const seen = await forSome(
    records,
    ({ record }) => record !== undefined,
    (some) => clicksOfRecords(tx, some as ((typeof some)[number] & { record: Customer })[]),
  )
  return named.map(({ program, customerKey, clickId, soldAt }, place) => {
    const customer = records[place]?.record
    const facts: SaleFacts = {
      when: 'at_the_sale',
      soldAt,
      attributionModel: program.attributionModel,
      cookieWindowDays: program.cookieWindowDays,
      customer: customerKey === null ? 'absent' : known[place] ? 'known' : 'unknown',
      click: clickId === null || known[place] ? 'absent' : byClick[place] ? 'found' : 'unknown',
      record: customer ? factsOfCustomer(customer) : null,
      clicks: seen[place]?.clicks ?? [],
    }
    return { customer, facts, isUnverified: trust[place] === 'unverified' }
  })
}

export const factsOfSale = forOne((tx, named: Named[]) => factsOfSales(tx as Tx, named))

/**
 * The lead may be under way: it holds the key's lock while it looks for waiting sales. Once we have it, look again. The same for
 * the confirmation of an unverified customer, which looks for reviews.
 */
const findByKey = async (tx: Tx, named: Named[]): Promise<(KnownCustomer | undefined)[]> => {
  const keys = named.map(({ program, customerKey }) => ({ programId: program.id, customerKey: customerKey ?? '' }))
  const isNamed = (_: unknown, place: number) => named[place]?.customerKey !== null
  const found = await forSome(keys, isNamed, (some) => findCustomersByKey(tx, some))
  const isOpen = (key: unknown, place: number) => isNamed(key, place) && found[place]?.unverifiedSince !== null
  const again = await forSome(keys, isOpen, async (some) => {
    await lockCustomerKeys(tx, some)
    return findCustomersByKey(tx, some)
  })
  return found.map((customer, place) => (isOpen(null, place) ? again[place] : customer))
}

export const creditBy = (
  { winner, reason }: SaleAttribution,
  customer: Customer | undefined,
): Credit | { reason: UncreditedReason } => {
  if (!winner) return { reason }
  if (!customer) throw new Error('a sale is credited to a customer')
  return { clickId: customer.clickId, linkId: winner.linkId, partnerId: winner.partnerId }
}
