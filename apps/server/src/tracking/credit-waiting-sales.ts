import type { ReasonCode } from '@tributary/contract'
import { attributeSale, type SaleFacts } from '../attribution/attribute-sale.ts'
import { type Customer, markAsBuyer } from '../customers/customers.ts'
import type { Tx } from '../database/transaction.ts'
import { markDays } from '../events/changed-days.ts'
import { clicksOfRecord } from '../events/clicks-of-record.ts'
import { keepDecision } from '../explain/decisions.ts'
import { changeFatesOfSale } from '../payments/payment-reports.ts'
import type { Program } from '../programs/programs.ts'
import { creditSale, leaveUncredited } from '../sales/sales.ts'
import { hasCreditedSale, type WaitingSale } from '../sales/sales-of-customer.ts'
import { earnLate } from './earn-late.ts'
import { factsOfCustomer } from './facts-of-customer.ts'
import { settleFirstSale } from './settle-first-sale.ts'

type Waiting = {
  program: Program
  /** The customer who is credited, and the record whose clicks are looked at: the same but for a second customer. */
  clickId: string
  clicksOf: Customer
  at: Date
}

/**
 * Credits the sales that arrived before their lead, with all that follows from a credit. Each goes to the click that would
 * have won at the time of the sale; a sale that was made before the first click stays as it is.
 */
export const creditWaitingSales = async (tx: Tx, hashKey: string, waiting: Waiting, sales: WaitingSale[]) => {
  const { program, clickId, at } = waiting
  const programId = program.id
  let hasCredited = false
  for (const sale of sales) {
    const { id: saleId, invoiceId, reason: before, reportedBy, ...values } = sale
    const { winner, reason } = await attributeLate(tx, waiting, sale)
    const told = { programId, reference: invoiceId, before: before as ReasonCode }
    if (!winner) {
      // What the merchant was told of a sale stays as it was; a payment told after the lead would be refused for this reason.
      if (reportedBy === 'merchant') continue
      await leaveUncredited(tx, { programId, saleId, reason: 'no_click_before_sale' })
      await changeFatesOfSale(tx, { ...told, after: reason })
      continue
    }
    await changeFatesOfSale(tx, { ...told, after: 'payment_recorded' })
    const credit = { linkId: winner.linkId, partnerId: winner.partnerId }
    await creditSale(tx, { programId, saleId, clickId, ...credit, creditedAt: at })
    await earnLate(tx, hashKey, { programId, saleId, clickId, ...credit, ...values, at })
    await markDays(tx, [{ programId, day: sale.day }])
    hasCredited = true
  }
  if (hasCredited) await settleFirstSale(tx, hashKey, { programId, clickId, at })
  if (hasCredited || (await hasCreditedSale(tx, { programId, clickId }))) await markAsBuyer(tx, { programId, clickId })
}

const attributeLate = async (tx: Tx, { program, clicksOf, at }: Waiting, { id: saleId, soldAt }: WaitingSale) => {
  const programId = program.id
  const { clicks } = await clicksOfRecord(tx, { programId, record: clicksOf, at: soldAt })
  const facts: SaleFacts = {
    when: 'late',
    soldAt,
    attributionModel: program.attributionModel,
    cookieWindowDays: program.cookieWindowDays,
    customer: 'known',
    click: 'absent',
    record: { ...factsOfCustomer(clicksOf), isSettled: true },
    clicks,
  }
  const result = attributeSale(facts)
  const of = { saleId }
  await keepDecision(tx, { programId, subject: 'sale', subjectId: saleId, of, rule: 'sale', facts, result, at })
  return result
}
