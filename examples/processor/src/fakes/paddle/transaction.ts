import { NOTHING, taxIn } from '../amounts.ts'
import type { Amounts, Payment } from '../fake.ts'
import { paddleId, uuidFrom } from '../fake-ids.ts'
import { inAMonth, inMicroseconds } from '../moments.ts'
import { priceOf, productOf } from './catalogue.ts'
import { addressId, customDataOf, customerId, discountId, invoiceId, subscriptionId, transactionId } from './names.ts'

type Line = { payment: Payment; quantity: number; amounts: Amounts; rate: number | null }

/** Amounts are strings of minor units. `subtotal` and `discount` never contain tax, whatever the price does. */
export const transactionOf = (payment: Payment, previous: Payment | null, status: 'paid' | 'completed') => {
  const { at, currency, amounts, mode } = payment
  const lines = linesOf(payment, previous)
  const totals = totalsOf(payment, amounts)
  return {
    id: transactionId(payment),
    items: lines.map((line) => ({
      price: priceOf(line.payment),
      quantity: line.quantity,
      ...(line.rate !== null && { proration: prorationOf(payment, line.rate) }),
    })),
    origin: ORIGINS[payment.reason],
    status,
    details: {
      totals: {
        ...totals,
        ...settled(amounts),
        credit: '0',
        credit_to_balance: '0',
        balance: '0',
        currency_code: currency,
      },
      line_items: lines.map((line, index) => lineItemOf(payment, line, index)),
      payout_totals: {
        ...totals,
        ...settled(amounts),
        credit: '0',
        credit_to_balance: '0',
        balance: '0',
        currency_code: currency,
        exchange_rate: '1',
        fee_rate: '0.05',
      },
      tax_rates_used: [{ totals, tax_rate: rateOf(payment) }],
      adjusted_totals: {
        ...withoutDiscount(payment, amounts),
        ...settled(amounts),
        currency_code: currency,
        retained_fee: '0',
      },
      adjusted_payout_totals: {
        ...withoutDiscount(payment, amounts),
        fee: feeOf(amounts),
        earnings: earningsOf(amounts),
        currency_code: currency,
        chargeback_fee: { amount: '0', original: null },
        exchange_rate: '1',
        retained_fee: '0',
      },
    },
    checkout: { url: `https://checkout.example/pay?_ptxn=${transactionId(payment)}` },
    payments: amounts.totalCents === 0 ? [] : [cardPaymentOf(payment)],
    billed_at: inMicroseconds(at),
    address_id: addressId(payment),
    created_at: inMicroseconds(at),
    invoice_id: status === 'completed' ? invoiceId(payment) : null,
    updated_at: inMicroseconds(at),
    business_id: null,
    custom_data: customDataOf(payment),
    customer_id: customerId(payment),
    discount_id: discountId(payment),
    currency_code: currency,
    billing_period: mode === 'subscription' ? periodOf(at) : null,
    invoice_number: status === 'completed' ? invoiceNumberOf(payment) : null,
    billing_details: null,
    collection_mode: 'automatic',
    // A first transaction gets its subscription between `transaction.paid` and `transaction.completed`.
    subscription_id: mode === 'subscription' && (status === 'completed' || previous) ? subscriptionId(payment) : null,
  }
}

const ORIGINS = { purchase: 'web', renewal: 'subscription_recurring', upgrade: 'subscription_update' } as const

/** Since 2024 an upgrade is one transaction: the unused time of the old price is a line with a negative quantity. */
const linesOf = (payment: Payment, previous: Payment | null): Line[] => {
  if (payment.reason !== 'upgrade' || !previous) return [{ payment, quantity: 1, amounts: payment.amounts, rate: null }]
  const rate = payment.amounts.priceCents / (payment.priceCents - previous.priceCents)
  const unusedCents = Math.round(previous.priceCents * rate)
  const unusedTaxCents = taxIn(unusedCents, payment)
  const unusedNetCents = payment.taxInclusive ? unusedCents - unusedTaxCents : unusedCents
  const unused = {
    ...NOTHING,
    priceCents: -unusedCents,
    netCents: -unusedNetCents,
    taxCents: -unusedTaxCents,
    totalCents: -unusedNetCents - unusedTaxCents,
  }
  const added = {
    ...NOTHING,
    priceCents: payment.amounts.priceCents + unusedCents,
    netCents: payment.amounts.netCents + unusedNetCents,
    taxCents: payment.amounts.taxCents + unusedTaxCents,
    totalCents: payment.amounts.totalCents + unusedNetCents + unusedTaxCents,
  }
  return [
    { payment, quantity: 1, amounts: added, rate },
    { payment: { ...previous, trialDays: null }, quantity: -1, amounts: unused, rate },
  ]
}

const lineItemOf = (payment: Payment, { payment: priced, quantity, amounts, rate }: Line, index: number) => ({
  id: paddleId('txnitm', payment.name, index),
  totals: totalsOf(payment, amounts),
  product: productOf(priced),
  price_id: priceOf(priced).id,
  quantity,
  ...(rate !== null && { proration: prorationOf(payment, rate) }),
  tax_rate: rateOf(payment),
  unit_totals: totalsOf(payment, quantity < 0 ? negated(amounts) : amounts),
})

const negated = ({ priceCents, discountCents, netCents, taxCents, totalCents }: Amounts): Amounts => ({
  priceCents: -priceCents,
  discountCents: -discountCents,
  netCents: -netCents,
  taxCents: -taxCents,
  totalCents: -totalCents,
})

const totalsOf = (payment: Payment, amounts: Amounts) => {
  const { discountCents, netCents, taxCents, totalCents } = amounts
  const discount = payment.taxInclusive ? discountCents - taxIn(discountCents, payment) : discountCents
  return {
    tax: String(taxCents),
    total: String(totalCents),
    discount: String(discount),
    subtotal: String(netCents + discount),
  }
}

/** Adjusted totals state no discount: their subtotal is after it. */
const withoutDiscount = (payment: Payment, amounts: Amounts) => {
  const { discount: _discount, ...totals } = totalsOf(payment, { ...amounts, discountCents: 0 })
  return totals
}

const settled = (amounts: Amounts) => ({
  fee: feeOf(amounts),
  earnings: earningsOf(amounts),
  grand_total: String(amounts.totalCents),
  grand_total_tax: String(amounts.taxCents),
})

const feeOf = ({ totalCents }: Amounts) => String(Math.round(totalCents * 0.05))
const earningsOf = ({ netCents, totalCents }: Amounts) => String(netCents - Math.round(totalCents * 0.05))
const rateOf = ({ taxBps }: Payment) => String(taxBps / 10_000)
const periodOf = (at: number) => ({ ends_at: inMicroseconds(inAMonth(at)), starts_at: inMicroseconds(at) })
const prorationOf = ({ at }: Payment, rate: number) => ({ rate: String(rate), billing_period: periodOf(at) })

/** The seller's number, and a running one. */
export const invoiceNumberOf = (payment: Payment) => `1043-${10_000 + (Math.floor(payment.at / 1000) % 90_000)}`

const cardPaymentOf = ({ name, at, amounts }: Payment) => ({
  amount: String(amounts.totalCents),
  status: 'captured',
  created_at: inMicroseconds(at),
  error_code: null,
  captured_at: inMicroseconds(at),
  method_details: {
    card: { type: 'visa', last4: '4242', expiry_year: 2030, expiry_month: 12, cardholder_name: 'Ann Customer' },
    paypal: null,
    south_korea_local_card: null,
    type: 'card',
    underlying_details: null,
  },
  payment_attempt_id: uuidFrom('paddle attempt', name),
  stored_payment_method_id: uuidFrom('paddle method', name),
})
