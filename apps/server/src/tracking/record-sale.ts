import { createHash } from 'node:crypto'
import { isWithinWindow } from '../attribution/click-window.ts'
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
import { count } from '../events/daily-counts.ts'
import { dayIn } from '../events/days.ts'
import type { Program } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { type Credit, findSaleByInvoice, insertSale, type UncreditedReason } from '../sales/sales.ts'
import { earnForSale } from './earn-commission.ts'

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
    const credit = await creditOf(tx, call, soldAt)

    const requestHash = requestHashOf(call)
    const saleId = await insertSale(tx, { ...sale, programId: program.id, requestHash, soldAt, day }, credit)
    if (saleId === null) throw await duplicate(tx, call, requestHash)
    if ('reason' in credit) return { saleId, reason: credit.reason, commissionId: null }

    await markAsBuyer(tx, { programId: program.id, clickId: credit.clickId })
    await count(tx, program.id, [{ ...credit, day, sales: 1 }])
    const event = {
      programId: program.id,
      saleId,
      ...credit,
      amountCents: call.amountCents,
      currency: call.currency,
      soldAt,
    }
    const { commissionId } = await earnForSale(tx, hashKey, { ...event, at: soldAt })
    return { saleId, reason: null, commissionId }
  })

/** By the customer's key, which a settled lead has bound to a partner; else by a click that is still valid. */
const creditOf = async (tx: Tx, call: SaleCall, at: Date): Promise<Credit | { reason: UncreditedReason }> => {
  const { customerKey, clickId, program } = call
  const known = customerKey === null ? null : await findByKey(tx, { programId: program.id, customerKey })
  if (known) return known
  if (clickId === null) return { reason: 'customer_unknown' }
  const byClick = await creditOfClick(tx, { program, clickId, at })
  return 'reason' in byClick && customerKey !== null ? { reason: 'customer_unknown' } : byClick
}

/** The lead may be under way: it holds the key's lock while it looks for waiting sales. Once we have it, look again. */
const findByKey = async (tx: Tx, key: { programId: number; customerKey: string }) => {
  const known = await findCustomerByKey(tx, key)
  if (known) return creditTo(known)
  await lockCustomerKey(tx, key)
  const settledMeanwhile = await findCustomerByKey(tx, key)
  return settledMeanwhile ? creditTo(settledMeanwhile) : null
}

const creditTo = ({ clickId, linkId, partnerId }: Customer): Credit => ({ clickId, linkId, partnerId })

const creditOfClick = async (tx: Tx, { program, clickId, at }: { program: Program; clickId: string; at: Date }) => {
  const customer = await lockCustomerByClick(tx, { programId: program.id, clickId })
  if (!customer) return { reason: 'click_not_found' as const }
  if (!isWithinWindow(customer.lastClickedAt, program.cookieWindowDays, at)) return { reason: 'click_expired' as const }
  return creditTo(customer)
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
