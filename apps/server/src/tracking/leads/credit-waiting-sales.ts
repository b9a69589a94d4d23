import { attributeSale, type SaleAttribution, type SaleFacts } from '../../attribution/attribute-sale.ts'
import { type Customer, markAsBuyer } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { clicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { keepDecisions } from '../../explain/decisions.ts'
import { nameOfSale, refundedOrDisputed } from '../../money/commissions/refunds.ts'
import { changeFatesOfSales } from '../../payments/payment-reports.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'
import { creditSales, leaveUncredited } from '../../sales/sales.ts'
import { hasCreditedSale, type WaitingSale } from '../../sales/sales-of-customer.ts'
import { followDisputes, reverseFor } from '../sales/commission-changes.ts'
import { earnForSales } from '../sales/earn-commission.ts'
import { settleFirstSale } from '../sales/settle-first-sale.ts'
import { factsOfCustomer } from './facts-of-customer.ts'

type Waiting = {
  program: Program
  /** The customer who is credited, and the record whose clicks are looked at: the same but for a second customer. */
  clickId: string
  clicksOf: Customer
  at: Date
}

/** So many are one statement. */
const AT_ONCE = 1_000

/**
 * Credits the sales that arrived before their lead, with all that follows from a credit. Each goes to the click that would
 * have won at the time of the sale; a sale that was made before the first click stays as it is.
 */
export const creditWaitingSales = async (tx: Tx, hashKey: string, waiting: Waiting, sales: WaitingSale[]) => {
  const { program, clickId, at } = waiting
  const programId = program.id
  let credited = 0
  for (let from = 0; from < sales.length; from += AT_ONCE)
    credited += await creditSome(tx, hashKey, waiting, sales.slice(from, from + AT_ONCE))
  if (credited > 0) await settleFirstSale(tx, hashKey, { programId, clickId, at })
  if (credited > 0 || (await hasCreditedSale(tx, { programId, clickId }))) await markAsBuyer(tx, { programId, clickId })
}

type Attributed = { sale: WaitingSale; facts: SaleFacts; result: SaleAttribution }

const creditSome = async (tx: Tx, hashKey: string, waiting: Waiting, sales: WaitingSale[]): Promise<number> => {
  const { program, clickId, at } = waiting
  const programId = program.id
  const attributed = await attributeLate(tx, waiting, sales)
  await keepDecisions(
    tx,
    attributed.map(({ sale: { id: saleId }, facts, result }) => ({
      ...({ programId, subject: 'sale', subjectId: saleId, of: { saleId }, rule: 'sale' } as const),
      ...{ facts, result, at },
    })),
  )
  // What the merchant was told of a sale stays as it was; a payment told after the lead would be refused for this reason.
  const left = attributed.filter(({ sale, result }) => !result.winner && sale.reportedBy !== 'merchant')
  for (const { sale } of left) await leaveUncredited(tx, { programId, saleId: sale.id, reason: 'no_click_before_sale' })
  // None of them rests on the word of a browser: its lead credits no sale that was made before it.
  const credits = attributed.flatMap(({ sale, result: { winner } }) =>
    winner
      ? [{ ...sale, programId, saleId: sale.id, clickId, ...creditOf(winner), creditedAt: at, isUnverified: false, at }]
      : [],
  )
  await changeFatesOfSales(tx, [
    ...left.map(({ sale, result }) => fateOf(programId, sale, result.reason)),
    ...credits.map((sale) => fateOf(programId, sale, 'payment_recorded')),
  ])
  if (credits.length === 0) return 0
  await creditSales(tx, credits)
  await earnForSales(tx, hashKey, { sales: credits })
  await markDays(tx, credits)
  await followSequels(tx, { programId, credits, at })
  return credits.length
}

const creditOf = ({ linkId, partnerId }: { linkId: number; partnerId: number }) => ({ linkId, partnerId })

const fateOf = (
  programId: number,
  { invoiceId, reason }: WaitingSale,
  after: SaleAttribution['reason'] | 'payment_recorded',
) => ({
  ...{ programId, reference: invoiceId, before: reason ?? '', after },
})

type Credited = { programId: number; id: number; amountCents: number; currency: string }

/** Some of them may have been refunded or disputed while they waited. */
const followSequels = async (
  tx: Tx,
  { programId, credits, at }: { programId: number; credits: Credited[]; at: Date },
) => {
  const touched = await refundedOrDisputed(tx, credits)
  for (const sale of credits.filter((sale) => touched.has(nameOfSale(sale)))) {
    await reverseFor(tx, { programId, sale, cause: 'late_credit', at })
    await followDisputes(tx, { programId, saleId: sale.id, at })
  }
}

const attributeLate = async (tx: Tx, { program, clicksOf }: Waiting, sales: WaitingSale[]): Promise<Attributed[]> => {
  const seen = await clicksOfRecords(
    tx,
    sales.map(({ soldAt }) => ({ programId: program.id, record: clicksOf, at: soldAt })),
  )
  return sales.map((sale, place) => {
    const facts: SaleFacts = {
      when: 'late',
      soldAt: sale.soldAt,
      ...settingsAt(program, sale.soldAt),
      customer: 'known',
      click: 'absent',
      record: { ...factsOfCustomer(clicksOf), isSettled: true },
      clicks: seen[place]?.clicks ?? [],
    }
    return { sale, facts, result: attributeSale(facts) }
  })
}
