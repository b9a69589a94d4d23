import { type Amount, netOfPaid } from '../translating/amounts.ts'
import { type Fields, idOf, timeOf, valueAt, valuesAt } from '../translating/fields.ts'
import { paidReport, samePaymentReport } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { itemsOfInvoice } from './items.ts'
import { amountOf, readPayment } from './read-payment.ts'

const PAID_AT = 'status_transitions.paid_at'

/** In all generations of the API: until 2024, since 2025, and since 2025 with expanded payments. */
const invoiceOf = readPayment({
  source: 'invoice',
  references: [
    'id',
    'payment_intent',
    'charge',
    'payments.data.*.payment.payment_intent',
    'payments.data.*.payment.charge',
  ],
  metadata: [
    'parent.subscription_details.metadata',
    'subscription_details.metadata',
    'metadata',
    'lines.data.*.metadata',
  ],
  gross: 'amount_paid',
  paidAt: PAID_AT,
  subscription: ['parent.subscription_details.subscription', 'subscription'],
  customer: 'customer',
})

/** invoice.paid: a subscription's first payment, renewals, and manually sent invoices. */
export const invoicePaid: Translate = (event) => {
  const invoice = invoiceOf(event)
  const netCents = invoice.gross && netOf(event.object, invoice.gross)
  return paidReport({ ...invoice, netCents, ...itemsOfInvoice(event.object) })
}

/** invoice_payment.paid: since 2025 invoices no longer name their payment intent; this event does. */
export const invoicePaymentPaid: Translate = ({ object, createdAt }) =>
  samePaymentReport({
    references: valuesAt(object, 'invoice', 'payment.payment_intent', 'payment.charge').map(idOf),
    at: timeOf(valueAt(object, PAID_AT)) ?? createdAt,
  })

const netOf = (invoice: Fields, gross: Amount) => {
  const total = amountOf(invoice.total, invoice.currency)
  const stated = amountOf(invoice.total_excluding_tax, invoice.currency)?.cents
  return netOfPaid(gross, { total, netCents: stated ?? (total && total.cents - taxOf(invoice)) })
}

const taxOf = (invoice: Fields) => {
  const list = ['total_taxes', 'total_tax_amounts'].find((name) => Array.isArray(invoice[name]))
  const taxes = valuesAt(invoice, list ? `${list}.*.amount` : 'tax')
  return taxes.reduce((sum: number, tax) => sum + (amountOf(tax, invoice.currency)?.cents ?? 0), 0)
}
