import type { UncreditedReason } from '@tributary/contract'
import { attributeSale, type SaleAttribution, type SaleFacts } from '../attribution/attribute-sale.ts'
import { trustInKey } from '../attribution/confirm-customer.ts'
import {
  type Customer,
  findCustomerByKey,
  lockCustomerByClick,
  lockCustomerKey,
  markAsBuyer,
} from '../customers/customers.ts'
import { erasedKeyHash } from '../customers/erased-customers.ts'
import { onlyAlone } from '../database/side-by-side.ts'
import type { Json } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import { markDays } from '../events/changed-days.ts'
import { clicksOfRecord } from '../events/clicks-of-record.ts'
import { keepDecision, type NewDecision } from '../explain/decisions.ts'
import type { Program } from '../programs/programs.ts'
import { type Credit, insertSale } from '../sales/sales.ts'
import { earnForSale } from './earn-commission.ts'
import { factsOfCustomer } from './facts-of-customer.ts'
import { requestHashOf } from './request-hash.ts'
import { settleFirstSale } from './settle-first-sale.ts'

export type SaleCall = {
  program: Program
  invoiceId: string
  customerKey: string | null
  clickId: string | null
  amountCents: number
  currency: string
  eventName: string | null
  subscriptionId: string | null
  metadata: Json
}

export type RecordedSale = { saleId: number; reason: UncreditedReason | null; commissionId: number | null }

type Making = { call: SaleCall; reportedBy: 'merchant' | 'processor'; soldAt: Date; at: Date }

/** Whose it is, the sale itself, its commission. Null where its invoice was used before. */
export const makeSale = async (
  tx: Tx,
  hashKey: string,
  { call, reportedBy, soldAt, at }: Making,
): Promise<RecordedSale | null> => {
  const { program, clickId: _, ...sale } = call
  const programId = program.id
  const { customer, facts, isUnverified } = await factsOfSale(tx, call, soldAt)
  const result = attributeSale(facts)
  const credit = creditBy(result, customer)

  const row = {
    ...sale,
    programId,
    requestHash: requestHashOf(call),
    erasedKeyHash:
      call.customerKey === null ? null : erasedKeyHash(hashKey, { programId, customerKey: call.customerKey }),
    soldAt,
    timezone: program.timezone,
    reportedBy,
  }
  const inserted = await insertSale(tx, { sale: row, outcome: credit })
  if (!inserted) return null
  const { id: saleId, day } = inserted
  const of = { saleId }
  const decision: NewDecision = { programId, subject: 'sale', subjectId: saleId, of, rule: 'sale', facts, result, at }
  if ('reason' in credit) {
    await keepDecision(tx, decision)
    return { saleId, reason: credit.reason, commissionId: null }
  }

  await markDays(tx, [{ programId, day }])
  const { amountCents, currency } = call
  if (customer?.customerStatus !== 'customer') await markAsBuyer(tx, { programId, clickId: credit.clickId })
  const earning = { programId, saleId, ...credit, amountCents, currency, soldAt, isUnverified, at }
  const { commissionId, hasLater } = await earnForSale(tx, hashKey, earning, [decision])
  // Told late, or a moment later than one that was made with it, it may have been before others that earned as the first.
  if (soldAt < at || hasLater) {
    onlyAlone(tx)
    await settleFirstSale(tx, hashKey, { programId, clickId: credit.clickId, at })
  }
  return { saleId, reason: null, commissionId }
}

/** The customer whom a sale names, and all that decides whether it is theirs. */
export const factsOfSale = async (
  tx: Tx,
  { customerKey, clickId, program }: Pick<SaleCall, 'customerKey' | 'clickId' | 'program'>,
  soldAt: Date,
) => {
  const programId = program.id
  const found = customerKey === null ? undefined : await findByKey(tx, { programId, customerKey })
  const trust = found && trustInKey(found, soldAt)
  const known = trust === 'uncredited' ? undefined : found
  const byClick = known || clickId === null ? undefined : await findByClick(tx, { programId, clickId })
  const customer: Customer | undefined = known ?? byClick
  const seen = customer && (await clicksOfRecord(tx, { programId, record: customer, at: soldAt }))
  const facts: SaleFacts = {
    when: 'at_the_sale',
    soldAt,
    attributionModel: program.attributionModel,
    cookieWindowDays: program.cookieWindowDays,
    customer: customerKey === null ? 'absent' : known ? 'known' : 'unknown',
    click: clickId === null || known ? 'absent' : byClick ? 'found' : 'unknown',
    record: customer ? factsOfCustomer(customer) : null,
    clicks: seen?.clicks ?? [],
  }
  return { customer, facts, isUnverified: trust === 'unverified' }
}

/**
 * The lead may be under way: it holds the key's lock while it looks for waiting sales. Once we have it, look again. The same for
 * the confirmation of an unverified customer, which looks for reviews.
 */
const findByKey = async (tx: Tx, key: { programId: number; customerKey: string }) => {
  const known = await findCustomerByKey(tx, key)
  if (known && known.unverifiedSince === null) return known
  await lockCustomerKey(tx, key)
  return findCustomerByKey(tx, key)
}

/** Another sale may name the same customer by the key. */
const findByClick = (tx: Tx, click: { programId: number; clickId: string }) => {
  onlyAlone(tx)
  return lockCustomerByClick(tx, click)
}

export const creditBy = (
  { winner, reason }: SaleAttribution,
  customer: Customer | undefined,
): Credit | { reason: UncreditedReason } => {
  if (!winner) return { reason }
  if (!customer) throw new Error('a sale is credited to a customer')
  return { clickId: customer.clickId, linkId: winner.linkId, partnerId: winner.partnerId }
}
