import { prorate } from '../../money/rewards/rewards.ts'
import { SAME_PAYMENT } from '../../payments/payment-report.ts'
import { invoiceIdIn } from '../translating/attribution.ts'
import { type Fields, idOf, itemsOf, read, timeOf } from '../translating/fields.ts'
import { paidReport, REST_OF_SECOND_MS, report } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { type Amount, amountOf } from './amounts.ts'
import { namedIn } from './attribution.ts'
import { itemsOfInvoice } from './items.ts'

/** invoice.paid: a subscription's first payment, renewals, and manually sent invoices. */
export const invoicePaid: Translate = ({ object: invoice, createdAt }) => {
  const gross = amountOf(invoice.amount_paid, invoice.currency)
  return paidReport({
    references: referencesOf(invoice),
    at: timeOf(read(invoice, 'status_transitions', 'paid_at')) ?? createdAt,
    attribution: namedIn(...metadataOf(invoice)),
    ...invoiceIdIn(invoice.metadata),
    gross,
    netCents: gross && netOf(invoice, gross),
    withinMs: REST_OF_SECOND_MS,
    source: 'invoice',
    ...itemsOfInvoice(invoice),
    subscriptionId: subscriptionOf(invoice),
  })
}

/** invoice_payment.paid: since 2025 invoices no longer name their payment intent; this event does. */
export const invoicePaymentPaid: Translate = ({ object, createdAt }) =>
  report({
    references: [idOf(object.invoice), ...paymentOf(object)],
    at: timeOf(read(object, 'status_transitions', 'paid_at')) ?? createdAt,
    says: SAME_PAYMENT,
  })

/** Before 2025 the invoice names intent and charge; since then its payments do, if expanded. */
const referencesOf = (invoice: Fields) => [
  idOf(invoice),
  idOf(invoice.payment_intent),
  idOf(invoice.charge),
  ...itemsOf(read(invoice.payments, 'data')).flatMap(paymentOf),
]

const paymentOf = (invoicePayment: unknown) => [
  idOf(read(invoicePayment, 'payment', 'payment_intent')),
  idOf(read(invoicePayment, 'payment', 'charge')),
]

const subscriptionOf = (invoice: Fields) =>
  idOf(read(invoice, 'parent', 'subscription_details', 'subscription')) ?? idOf(invoice.subscription)

/** The subscription's metadata (current and pre-2025 location), then the invoice's, then its lines'. */
const metadataOf = (invoice: Fields) => [
  read(invoice, 'parent', 'subscription_details', 'metadata'),
  read(invoice, 'subscription_details', 'metadata'),
  invoice.metadata,
  ...itemsOf(read(invoice.lines, 'data')).map((line) => read(line, 'metadata')),
]

/** Applies the invoice's net share to the amount paid, because a balance or credit may have paid the rest. */
const netOf = (invoice: Fields, gross: Amount) => {
  const total = amountOf(invoice.total, invoice.currency)
  const net = amountOf(invoice.total_excluding_tax, invoice.currency)?.cents ?? (total && total.cents - taxOf(invoice))
  if (!total?.cents || net === null || net < 0 || net > total.cents) return null
  return prorate(gross.cents, net, total.cents)
}

const taxOf = (invoice: Fields) => {
  const taxes = [invoice.total_taxes, invoice.total_tax_amounts].find(Array.isArray) ?? [{ amount: invoice.tax ?? 0 }]
  return taxes.reduce(
    (sum: number, tax: unknown) => sum + (amountOf(read(tax, 'amount'), invoice.currency)?.cents ?? 0),
    0,
  )
}
