import { type Amount, amountOf, netOfPaid, withoutTax } from '../translating/amounts.ts'
import { attributionIn, invoiceIdIn } from '../translating/attribution.ts'
import { learnedCode, withCodes } from '../translating/codes.ts'
import { type Fields, fieldsOf, idOf, read } from '../translating/fields.ts'
import { paidReport } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { itemsOfTransaction } from './items.ts'

/** transaction.completed: one-time payments, first payments and renewals of subscriptions, upgrades, and free trials. */
export const transactionCompleted: Translate = ({ object: transaction, createdAt }) => {
  const net = netOf(transaction)
  return paidReport({
    references: [idOf(transaction.id), idOf(transaction.invoice_id)],
    at: createdAt,
    attribution: attributionIn(transaction.custom_data),
    ...(isFirst(transaction) && invoiceIdIn(transaction.custom_data)),
    // Refunds are net as well: one that returns only the tax, to a business, takes nothing from the partner.
    gross: net,
    netCents: net?.cents ?? null,
    source: 'invoice',
    ...itemsOfTransaction(transaction),
    subscriptionId: idOf(transaction.subscription_id),
    customerId: idOf(transaction.customer_id),
    ...withCodes([discountOf(transaction)]),
  })
}

/** Only by its ID; `discount.created` has the code. */
const discountOf = ({ discount_id }: Fields) => {
  const id = idOf(discount_id)
  return id ? { id } : null
}

/** discount.created, discount.updated. Discounts that the merchant gives have no code. */
export const discountChanged: Translate = ({ object }) => learnedCode(idOf(object), object.code)

/** Paddle copies the custom data of a subscription's first transaction to all others. */
const isFirst = ({ origin }: Fields) => origin === 'web' || origin === 'api'

/**
 * What the customer paid, without tax. `grand_total` leaves out what was paid with credit, which earned a commission when it was
 * bought.
 */
const netOf = (transaction: Fields): Amount | null => {
  const totals = fieldsOf(read(transaction, 'details', 'totals'))
  const currency = totals.currency_code ?? transaction.currency_code
  const [total, tax] = [amountOf(totals.total, currency), amountOf(totals.tax, currency)]
  const paid = totals.grand_total === undefined ? total : amountOf(totals.grand_total, currency)
  // After a downgrade the total is negative, and nothing is charged.
  if (paid?.cents === 0) return paid
  if (!total || !paid || paid.cents > total.cents) return null
  const netCents = netOfPaid(paid, { total, netCents: withoutTax(total, tax) })
  return netCents === null ? null : { ...paid, cents: netCents }
}
