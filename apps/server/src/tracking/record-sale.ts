import { createHash } from 'node:crypto'
import { attributeSale, type SaleAttribution, type SaleFacts } from '../attribution/attribute-sale.ts'
import type { Clock } from '../clock.ts'
import {
  type Customer,
  findCustomerByKey,
  lockCustomerByClick,
  lockCustomerKey,
  markAsBuyer,
} from '../customers/customers.ts'
import type { Database } from '../database/connect.ts'
import type { Json } from '../database/tables.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { clicksOfRecord } from '../events/clicks-of-record.ts'
import { count } from '../events/daily-counts.ts'
import { dayIn } from '../events/days.ts'
import { keepDecision } from '../explain/decisions.ts'
import type { Program } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { type Credit, findSaleByInvoice, insertSale, type UncreditedReason } from '../sales/sales.ts'
import { earnForSale } from './earn-commission.ts'
import { factsOfCustomer } from './facts-of-customer.ts'

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

type Dependencies = { db: Database; clock: Clock; hashKey: string }

/** One story for every way a sale is reported: whose it is, the sale itself, its counts, its commission. Its invoice makes it once for ever. */
export const recordSale = ({ db, clock, hashKey }: Dependencies, call: SaleCall): Promise<RecordedSale> =>
  inTransaction(db, async (tx) => {
    const { program, clickId: _, ...sale } = call
    const soldAt = clock()
    const day = await dayIn(tx, program.timezone, soldAt)
    const { customer, facts } = await factsOf(tx, call, soldAt)
    const result = attributeSale(facts)
    const credit = creditBy(result, customer)

    const requestHash = requestHashOf(call)
    const saleId = await insertSale(tx, { ...sale, programId: program.id, requestHash, soldAt, day }, credit)
    if (saleId === null) throw await duplicate(tx, call, requestHash)
    const of = { saleId }
    const decision = { subject: 'sale', subjectId: saleId, of, rule: 'sale', facts, result, at: soldAt } as const
    await keepDecision(tx, { programId: program.id, ...decision })
    if ('reason' in credit) return { saleId, reason: credit.reason, commissionId: null }

    await markAsBuyer(tx, { programId: program.id, clickId: credit.clickId })
    const event = {
      programId: program.id,
      saleId,
      ...credit,
      amountCents: call.amountCents,
      currency: call.currency,
      soldAt,
    }
    const { commissionId } = await earnForSale(tx, hashKey, { ...event, at: soldAt })
    // Counts come last in every story: whoever holds one waits for nothing else.
    await count(tx, program.id, [{ ...credit, day, sales: 1 }])
    return { saleId, reason: null, commissionId }
  })

/** The customer whom the sale names, and all that decides whether it is theirs. */
const factsOf = async (tx: Tx, call: SaleCall, soldAt: Date) => {
  const { customerKey, clickId, program } = call
  const programId = program.id
  const known = customerKey === null ? undefined : await findByKey(tx, { programId, customerKey })
  const byClick = known || clickId === null ? undefined : await lockCustomerByClick(tx, { programId, clickId })
  const customer = known ?? byClick
  const facts: SaleFacts = {
    when: 'at_the_sale',
    soldAt,
    attributionModel: program.attributionModel,
    cookieWindowDays: program.cookieWindowDays,
    customer: customerKey === null ? 'absent' : known ? 'known' : 'unknown',
    click: clickId === null || known ? 'absent' : byClick ? 'found' : 'unknown',
    record: customer ? factsOfCustomer(customer) : null,
    clicks: customer ? await clicksOfRecord(tx, { programId, record: customer, at: soldAt }) : [],
  }
  return { customer, facts }
}

/** The lead may be under way: it holds the key's lock while it looks for waiting sales. Once we have it, look again. */
const findByKey = async (tx: Tx, key: { programId: number; customerKey: string }) => {
  const known = await findCustomerByKey(tx, key)
  if (known) return known
  await lockCustomerKey(tx, key)
  return findCustomerByKey(tx, key)
}

const creditBy = (
  { winner, reason }: SaleAttribution,
  customer: Customer | undefined,
): Credit | { reason: UncreditedReason } => {
  if (reason === 'no_click_before_sale') throw new Error('only a sale that has waited can have come too early')
  if (!winner) return { reason }
  if (!customer) throw new Error('a sale is credited to a customer')
  return { clickId: customer.clickId, linkId: winner.linkId, partnerId: winner.partnerId }
}

/** Everything the caller said, so that a retry can be told from another sale under a used invoice. */
export const requestHashOf = (said: Omit<SaleCall, 'program'>) => {
  const { invoiceId, customerKey, clickId, amountCents, currency, eventName, subscriptionId, metadata } = said
  const words = [invoiceId, customerKey, clickId, amountCents, currency, eventName, subscriptionId, metadata]
  return createHash('sha256').update(JSON.stringify(words)).digest()
}

const duplicate = async (tx: Tx, { program, invoiceId }: SaleCall, requestHash: Buffer) => {
  const stored = await findSaleByInvoice(tx, { programId: program.id, invoiceId })
  if (!stored) throw new Error('the invoice that was in the way is not there')
  const sameRequest = requestHash.equals(stored.requestHash)
  return new Refusal(
    'duplicate_invoice',
    sameRequest
      ? 'This sale was recorded before; nothing changed and there is nothing to do.'
      : 'This invoice_id was used for another sale. Use one invoice_id for one sale.',
    { field: 'invoice_id', facts: { sale_id: stored.id, same_request: sameRequest } },
  )
}
