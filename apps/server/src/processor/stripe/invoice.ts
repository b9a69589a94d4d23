import { share } from '../../money/rewards/share.ts'
import type { Translate } from '../translation.ts'
import { type Amount, amountOf } from './amounts.ts'
import { attributionIn } from './attribution.ts'
import { type Fields, idOf, read, rowsOf, timeOf } from './reading.ts'
import { paidReport, report } from './reports.ts'

/** invoice.paid: the first payment of a subscription, every renewal, and invoices that were sent by hand. */
export const invoicePaid: Translate = ({ object: invoice, createdAt }) => {
  const gross = amountOf(invoice.amount_paid, invoice.currency)
  return paidReport({
    references: referencesOf(invoice),
    at: timeOf(read(invoice, 'status_transitions', 'paid_at')) ?? createdAt,
    attribution: attributionIn(...metadataOf(invoice)),
    gross,
    netCents: gross && netOf(invoice, gross),
    source: 'invoice',
    subscriptionId: subscriptionOf(invoice),
  })
}

/** invoice_payment.paid, since 2025: an invoice no longer names its payment intent, this does. */
export const invoicePaymentPaid: Translate = ({ object, createdAt }) =>
  report({
    references: [idOf(object.invoice), ...paymentOf(object)],
    at: timeOf(read(object, 'status_transitions', 'paid_at')) ?? createdAt,
    says: { kind: 'tie' },
  })

/** Before 2025 the invoice names intent and charge; since, the payments of an invoice do, where they were expanded. */
const referencesOf = (invoice: Fields) => [
  idOf(invoice),
  idOf(invoice.payment_intent),
  idOf(invoice.charge),
  ...rowsOf(invoice.payments).flatMap(paymentOf),
]

const paymentOf = (invoicePayment: unknown) => [
  idOf(read(invoicePayment, 'payment', 'payment_intent')),
  idOf(read(invoicePayment, 'payment', 'charge')),
]

const subscriptionOf = (invoice: Fields) =>
  idOf(read(invoice, 'parent', 'subscription_details', 'subscription')) ?? idOf(invoice.subscription)

/** The subscription's own metadata, where it stands since 2025 and where it stood before; then the invoice's and its lines'. */
const metadataOf = (invoice: Fields) => [
  read(invoice, 'parent', 'subscription_details', 'metadata'),
  read(invoice, 'subscription_details', 'metadata'),
  invoice.metadata,
  ...rowsOf(invoice.lines).map((line) => read(line, 'metadata')),
]

/** The same part of what was paid as of the whole invoice: a balance or a credit may have paid the rest. */
const netOf = (invoice: Fields, gross: Amount) => {
  const total = amountOf(invoice.total, invoice.currency)
  const net = amountOf(invoice.total_excluding_tax, invoice.currency)?.cents ?? (total && total.cents - taxOf(invoice))
  if (!total?.cents || net === null || net < 0 || net > total.cents) return null
  return share(gross.cents, net, total.cents)
}

const taxOf = (invoice: Fields) => {
  const taxes = [invoice.total_taxes, invoice.total_tax_amounts].find(Array.isArray) ?? [{ amount: invoice.tax ?? 0 }]
  return taxes.reduce(
    (sum: number, tax: unknown) => sum + (amountOf(read(tax, 'amount'), invoice.currency)?.cents ?? 0),
    0,
  )
}
