import { sized } from '../support/size.ts'
import shapes2024 from './shapes/2024.json'
import shapes2026 from './shapes/2026.json'

export type Generation = '2024' | '2026'
export const GENERATIONS: Generation[] = ['2024', '2026']

/** For tests on a database. Both generations are translated to the same reports, which the short run checks without one. */
export const SIZED_GENERATIONS = sized<Generation[]>({ short: ['2026'], long: GENERATIONS })

type Fields = Record<string, unknown>

const SHAPES: Record<Generation, Record<string, Fields>> = { '2024': shapes2024, '2026': shapes2026 }
const API_VERSIONS = { '2024': '2024-06-20', '2026': '2026-10-29.clover' }

let made = 0
/** An identifier in Stripe's format; counted, so that a run is repeatable, and scattered like theirs. */
export const stripeId = (prefix: string) => `${prefix}_${(Math.imul(++made, 0x9e3779b1) >>> 0).toString(36)}${made}`

export const shape = (generation: Generation, name: string, fields: Fields): Fields => ({
  ...structuredClone(SHAPES[generation][name]),
  ...fields,
})

export type TestEvent = Fields & { id: string; type: string; created: number; data: { object: Fields } }
export type Envelope = { id?: string; created?: number; livemode?: boolean; account?: string }

export const event = (generation: Generation, type: string, object: Fields, envelope: Envelope = {}): TestEvent => ({
  ...shape(generation, 'event', {}),
  id: stripeId('evt'),
  api_version: API_VERSIONS[generation],
  created: Math.floor(Date.now() / 1000),
  livemode: true,
  type,
  data: { object },
  ...envelope,
})

export type Payment = {
  generation?: Generation
  amount?: number
  tax?: number
  currency?: string
  metadata?: Fields
  livemode?: boolean
  account?: string
  created?: number
}

const tax2024 = (tax: number) => ({ tax, total_tax_amounts: [{ amount: tax, inclusive: false, tax_rate: 'txr_1' }] })
const tax2026 = (tax: number) => ({
  total_taxes: [{ amount: tax, tax_behavior: 'exclusive', type: 'tax_rate_details' }],
})

/** All events about one payment in that API generation, with consistent identifiers. */
export const stripePayment = (payment: Payment = {}) => {
  const { generation = '2026', amount = 1190, tax = 190, currency = 'usd', metadata = {}, ...envelope } = payment
  const isOld = generation === '2024'
  const ids = {
    session: stripeId('cs'),
    intent: stripeId('pi'),
    charge: stripeId('ch'),
    invoice: stripeId('in'),
    subscription: stripeId('sub'),
    dispute: stripeId('dp'),
  }
  const build = (type: string, object: Fields, more: Envelope = {}) =>
    event(generation, type, object, { ...envelope, ...more })

  const session = (fields: Fields = {}) =>
    shape(generation, 'checkout.session', {
      id: ids.session,
      amount_total: amount,
      currency,
      metadata,
      payment_intent: ids.intent,
      payment_status: 'paid',
      status: 'complete',
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
      ...fields,
    })
  const ofSubscription = {
    mode: 'subscription',
    payment_intent: null,
    invoice: ids.invoice,
    subscription: ids.subscription,
  }
  const invoice = (fields: Fields = {}) => {
    const subscribed = { metadata, subscription: ids.subscription }
    return shape(generation, 'invoice', {
      id: ids.invoice,
      amount_paid: amount,
      amount_due: amount,
      amount_remaining: 0,
      currency,
      status: 'paid',
      subtotal: amount - tax,
      total: amount,
      total_excluding_tax: amount - tax,
      ...(isOld ? tax2024(tax) : tax2026(tax)),
      ...(isOld
        ? {
            subscription: ids.subscription,
            subscription_details: { metadata },
            payment_intent: ids.intent,
            charge: ids.charge,
          }
        : { parent: { type: 'subscription_details', quote_details: null, subscription_details: subscribed } }),
      ...fields,
    })
  }
  const charge = (fields: Fields = {}) =>
    shape(generation, 'charge', {
      id: ids.charge,
      amount,
      amount_captured: amount,
      captured: true,
      currency,
      payment_intent: ids.intent,
      ...fields,
    })
  const refund = (id: string, fields: Fields) =>
    shape(generation, 'refund', { id, charge: ids.charge, payment_intent: ids.intent, currency, ...fields })
  const dispute = (status: string) =>
    shape(generation, 'dispute', {
      id: ids.dispute,
      charge: ids.charge,
      payment_intent: ids.intent,
      amount,
      currency,
      status,
    })

  return {
    ids,
    completed: (fields: Fields = {}) => build('checkout.session.completed', session(fields)),
    subscribed: (fields: Fields = {}) => build('checkout.session.completed', session({ ...ofSubscription, ...fields })),
    asyncSucceeded: () => build('checkout.session.async_payment_succeeded', session()),
    asyncFailed: () => build('checkout.session.async_payment_failed', session({ payment_status: 'unpaid' })),
    invoicePaid: (fields: Fields = {}) => build('invoice.paid', invoice(fields)),
    invoicePaymentPaid: () =>
      build(
        'invoice_payment.paid',
        shape('2026', 'invoice_payment', {
          id: stripeId('inpay'),
          invoice: ids.invoice,
          currency,
          status: 'paid',
          amount_paid: amount,
          payment: { type: 'payment_intent', payment_intent: ids.intent },
        }),
      ),
    intentSucceeded: (fields: Fields = {}) =>
      build(
        'payment_intent.succeeded',
        shape(generation, 'payment_intent', {
          id: ids.intent,
          amount,
          amount_received: amount,
          currency,
          latest_charge: ids.charge,
          metadata,
          status: 'succeeded',
          ...fields,
        }),
      ),
    chargeSucceeded: (fields: Fields = {}) => build('charge.succeeded', charge(fields)),
    chargeRefunded: (refunded: number, fields: Fields = {}) =>
      build('charge.refunded', charge({ amount_refunded: refunded, ...fields })),
    refund: (type: string, id: string, fields: Fields) => build(type, refund(id, fields)),
    dispute: (type: string, status: string) => build(type, dispute(status)),
    subscriptionDeleted: () =>
      build('customer.subscription.deleted', shape(generation, 'subscription', { id: ids.subscription, metadata })),
  }
}
export type StripePayment = ReturnType<typeof stripePayment>

export const accountUpdated = (account: string, flags: Fields, envelope: Envelope = {}) =>
  event('2026', 'account.updated', shape('2026', 'account', { id: account, ...flags }), envelope)

export const deauthorized = (account: string, envelope: Envelope = {}) =>
  event('2026', 'account.application.deauthorized', shape('2026', 'application', {}), { account, ...envelope })
