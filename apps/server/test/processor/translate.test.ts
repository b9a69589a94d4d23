import { describe, expect, test } from 'bun:test'
import { EVENT_TYPES, readEvent } from '../../src/processor/stripe/translate.ts'
import { translate as translateFor } from '../../src/processor/translate-event.ts'
import type { Translation } from '../../src/processor/translation.ts'
import { AT, ATTRIBUTION, METADATA, reportOf, translateEvent } from './given-translation.ts'
import { accountUpdated, deauthorized, event, GENERATIONS, stripePayment, type TestEvent } from './stripe-events.ts'

const covered = new Set<string>()
const translationOf = (given: TestEvent): Translation => {
  covered.add(given.type)
  return translateEvent(given)
}
const reported = (given: TestEvent) => reportOf(translationOf(given))

const at = new Date(AT * 1000)

/** The documented shape of 2026 leaves out the price. */
const itemsOf = (generation: string) => (generation === '2024' ? { items: expect.anything() } : {})

for (const generation of GENERATIONS)
  describe(`events of ${generation}`, () => {
    const given = (more: object = {}) => stripePayment({ generation, metadata: METADATA, ...more })
    const paid = { kind: 'paid', grossCents: 1190, netCents: 1000, currency: 'USD' }

    test('checkout.session.completed in payment mode is a payment, without its tax', () => {
      const payment = given()
      const { session, intent } = payment.ids
      expect(reported(payment.completed())).toEqual({
        references: [session, intent],
        at,
        attribution: ATTRIBUTION,
        says: { ...paid, source: 'checkout', subscriptionId: null } as never,
        withinMs: 999,
      })
    })

    test('… in subscription mode it is linked to its invoice, never by the subscription', () => {
      const payment = given()
      const { session, invoice, subscription } = payment.ids
      const { references, says } = reported(payment.subscribed())
      expect(references).toEqual([session, invoice])
      expect(says).toMatchObject({ ...paid, source: 'checkout', subscriptionId: subscription })
    })

    test('… unpaid it is pending; in setup mode or with nothing to pay it is ignored', () => {
      const { grossCents, netCents, currency } = paid
      expect(reported(given().completed({ payment_status: 'unpaid' })).says).toEqual({
        kind: 'pending',
        due: { grossCents, netCents, currency },
      })
      expect(translationOf(given().completed({ mode: 'setup' }))).toEqual({ ignored: 'checkout_for_set_up' })
      expect(translationOf(given().subscribed({ payment_status: 'no_payment_required', amount_total: 0 }))).toEqual({
        ignored: 'nothing_paid',
      })
      expect(translationOf(given({ amount: 0, tax: 0 }).completed())).toEqual({ ignored: 'nothing_paid' })
    })

    test('… without a tax leaves the net amount open', () => {
      expect(reported(given().completed({ total_details: null })).says).toMatchObject({ netCents: null })
    })

    test('checkout.session.async_payment_succeeded is the payment, async_payment_failed its failure', () => {
      expect(reported(given().asyncSucceeded()).says).toMatchObject(paid)
      expect(reported(given().asyncFailed()).says).toEqual({ kind: 'failed' })
    })

    test('invoice.paid reads the metadata of the subscription where this generation puts it', () => {
      const payment = given()
      const { intent, charge, invoice, subscription } = payment.ids
      const paidAt = AT - 60
      const status_transitions = { finalized_at: null, marked_uncollectible_at: null, paid_at: paidAt, voided_at: null }
      expect(reported(payment.invoicePaid({ status_transitions }))).toEqual({
        references: generation === '2024' ? [invoice, intent, charge] : [invoice],
        at: new Date(paidAt * 1000),
        attribution: ATTRIBUTION,
        customerId: String(payment.invoicePaid().data.object.customer),
        says: { ...paid, source: 'invoice', subscriptionId: subscription, ...itemsOf(generation) } as never,
        withinMs: 999,
      })
      expect(reported({ ...payment.invoicePaid(), type: 'invoice.payment_succeeded' }).says).toMatchObject(paid)
    })

    test('… or on the invoice itself, or on one of its lines', () => {
      const bare = stripePayment({ generation })
      expect(reported(bare.invoicePaid()).attribution).toBeNull()
      expect(reported(bare.invoicePaid({ metadata: METADATA })).attribution).toEqual(ATTRIBUTION)
      const lines = { object: 'list', data: [{ metadata: {} }, { metadata: METADATA }] }
      expect(reported(bare.invoicePaid({ lines })).attribution).toEqual(ATTRIBUTION)
    })

    test('… with each of the three keys from any place, unless a place names another program', () => {
      const [program, rest] = [{ program_id: '7' }, { service_customer_key: 'user_42', service_click_id: 'click_1' }]
      const partly = stripePayment({ generation, metadata: program })
      expect(reported(partly.invoicePaid({ metadata: METADATA })).attribution).toEqual(ATTRIBUTION)
      expect(reported(partly.invoicePaid({ metadata: rest })).attribution).toEqual(ATTRIBUTION)
      expect(reported(partly.invoicePaid({ metadata: { ...rest, program_id: '8' } })).attribution).toEqual({
        programId: 7,
        customerKey: null,
        clickId: null,
      })
    })

    test('… partly paid from a balance is net of the same part of the tax, half up', () => {
      const { says } = reported(given().invoicePaid({ amount_paid: 595 }))
      expect(says).toMatchObject({ grossCents: 595, netCents: 500 })
      const odd = reported(given({ amount: 3, tax: 1 }).invoicePaid({ amount_paid: 2 }))
      expect(odd.says).toMatchObject({ grossCents: 2, netCents: 1 })
    })

    test('… without a total before tax is net of the taxes that it lists', () => {
      expect(reported(given().invoicePaid({ total_excluding_tax: null })).says).toMatchObject({ netCents: 1000 })
    })

    test('… of zero is no payment: trials and vouchers. It names a customer if it has metadata', () => {
      const free = given({ amount: 0, tax: 0 }).invoicePaid()
      const customerId = String(free.data.object.customer)
      const customer = { customerId, attribution: ATTRIBUTION, at: expect.any(Date) }
      expect(translationOf(free)).toEqual({ customer } as never)
      const bare = stripePayment({ generation, amount: 0, tax: 0 }).invoicePaid()
      expect(translationOf(bare)).toEqual({ ignored: 'nothing_paid' })
    })

    test('payment_intent.succeeded is a payment of unknown tax', () => {
      const payment = given()
      const { intent, charge } = payment.ids
      expect(reported(payment.intentSucceeded())).toEqual({
        references: [intent, charge],
        at,
        attribution: ATTRIBUTION,
        says: { ...paid, netCents: null, source: 'payment', subscriptionId: null } as never,
        withinMs: 999,
      })
      const taxed = payment.intentSucceeded({ amount_details: { tip: {}, tax: { total_tax_amount: 190 } } })
      expect(reported(taxed).says).toMatchObject({ netCents: 1000 })
    })

    test('… names its invoice if it still has one', () => {
      const payment = given()
      const { intent, charge, invoice } = payment.ids
      expect(reported(payment.intentSucceeded({ invoice })).references).toEqual([intent, charge, invoice])
    })

    test('charge.succeeded links the charge to its intent; a legacy charge is the payment', () => {
      const payment = given()
      const { charge, intent } = payment.ids
      expect(reported(payment.chargeSucceeded())).toMatchObject({ references: [charge, intent], says: { kind: 'tie' } })
      const alone = payment.chargeSucceeded({ payment_intent: null, metadata: METADATA })
      expect(reported(alone)).toMatchObject({
        references: [charge],
        attribution: ATTRIBUTION,
        says: { ...paid, netCents: null, source: 'payment' },
      })
      expect(translationOf(payment.chargeSucceeded({ payment_intent: null, captured: false }))).toEqual({
        ignored: 'nothing_paid',
      })
    })

    test('charge.captured is the payment of a legacy charge that was authorized first', () => {
      const payment = given()
      const charge = {
        ...payment.chargeSucceeded({ payment_intent: null, metadata: METADATA }),
        type: 'charge.captured',
      }
      expect(reported(charge)).toMatchObject({ attribution: ATTRIBUTION, says: { kind: 'paid', source: 'payment' } })
    })

    test('charge.refunded of a partly captured charge leaves the uncaptured part out', () => {
      const partly = (refunded: number) =>
        reported(given().chargeRefunded(refunded, { amount: 10_000, amount_captured: 6000 })).says
      expect(partly(4000)).toMatchObject({ grossCents: 0 })
      expect(partly(5500)).toMatchObject({ grossCents: 1500 })
    })

    test('charge and payment report the uncaptured amount', () => {
      const never = (event: TestEvent) => reported(event).neverTakenCents
      const part = { amount: 10_000, amount_captured: 6000 }
      expect(never(given().chargeRefunded(4000, part))).toBe(4000)
      expect(never(given().chargeRefunded(5500, part))).toBe(4000)
      expect(never(given().chargeSucceeded({ ...part, amount_refunded: 4000 }))).toBe(4000)
      // Authorized, with the capture still open.
      expect(never(given().chargeSucceeded({ ...part, amount_captured: 0, captured: false }))).toBeUndefined()
      expect(never(given().intentSucceeded({ amount: 10_000, amount_received: 6000 }))).toBe(4000)
      expect(never(given().intentSucceeded())).toBeUndefined()
    })

    test('charge.refunded has the refunded total', () => {
      const payment = given()
      const { charge, intent } = payment.ids
      expect(reported(payment.chargeRefunded(300))).toMatchObject({
        references: [charge, intent],
        says: { kind: 'refunded_in_all', grossCents: 300, currency: 'USD' },
      })
    })

    test.each([
      ['refund.created', 'succeeded', 'made'],
      ['refund.created', 'pending', 'made'],
      ['refund.updated', 'succeeded', 'made'],
      ['refund.updated', 'canceled', 'failed'],
      ['refund.failed', 'failed', 'failed'],
      ['charge.refund.updated', 'failed', 'failed'],
    ])('%s with status %s is a refund that is %s', (type, status, state) => {
      const payment = given()
      const { charge, intent } = payment.ids
      expect(reported(payment.refund(type, 're_1', { amount: 300, status, reason: 'duplicate' }))).toMatchObject({
        references: [charge, intent],
        says: { kind: 'refund', refundId: 're_1', grossCents: 300, currency: 'USD', state, reason: 'duplicate' },
      })
    })

    test.each([
      ['charge.dispute.created', 'needs_response', 'open'],
      ['charge.dispute.created', 'warning_needs_response', 'open'],
      ['charge.dispute.updated', 'under_review', 'open'],
      ['charge.dispute.funds_withdrawn', 'needs_response', 'open'],
      ['charge.dispute.funds_reinstated', 'won', 'won'],
      ['charge.dispute.closed', 'won', 'won'],
      ['charge.dispute.closed', 'warning_closed', 'won'],
      ['charge.dispute.closed', 'charge_refunded', 'won'],
      ['charge.dispute.closed', 'lost', 'lost'],
    ])('%s with status %s is a dispute that is %s', (type, status, state) => {
      const payment = given()
      const { charge, intent, dispute } = payment.ids
      expect(reported(payment.dispute(type, status))).toMatchObject({
        references: [charge, intent],
        says: { kind: 'dispute', disputeId: dispute, state, currency: 'USD' },
      })
    })

    test('customer.subscription.deleted and unknown types are ignored with a reason', () => {
      expect(translationOf(given().subscriptionDeleted())).toEqual({ ignored: 'subscription_ended' })
      expect(translationOf(event(generation, 'price.created', {}))).toEqual({ ignored: 'other_event' })
      expect(translationOf(event(generation, 'constructor', {}))).toEqual({ ignored: 'other_event' })
    })
  })

describe('since 2025', () => {
  test('invoice_payment.paid links an invoice to its payment intent', () => {
    const payment = stripePayment()
    const { invoice, intent } = payment.ids
    expect(reported(payment.invoicePaymentPaid())).toMatchObject({
      references: [invoice, intent],
      says: { kind: 'tie' },
    })
  })

  test('an invoice with expanded payments names the intent too', () => {
    const payment = stripePayment()
    const { invoice, intent } = payment.ids
    const payments = { object: 'list', data: [{ payment: { type: 'payment_intent', payment_intent: { id: intent } } }] }
    expect(reported(payment.invoicePaid({ payments })).references).toEqual([invoice, intent])
  })
})

describe('an account', () => {
  test('account.updated has its permissions, deauthorized removes it', () => {
    const flags = { charges_enabled: true, payouts_enabled: false, details_submitted: true }
    expect(translationOf(accountUpdated('acct_1', flags))).toEqual({
      account: {
        accountId: 'acct_1',
        flags: { chargesEnabled: true, payoutsEnabled: false, detailsSubmitted: true },
      },
    })
    expect(translationOf(deauthorized('acct_1'))).toEqual({ deauthorized: true })
  })
})

test('a Stripe clock ahead of ours creates no sale in the future', () => {
  const payment = stripePayment({ created: AT + 5 })
  const read = readEvent(JSON.stringify(payment.completed()), at)
  const translation = read && translateFor(read, null)
  expect(translation && 'report' in translation && translation.report.at).toEqual(at)
  expect(read?.createdAt).toEqual(new Date((AT + 5) * 1000))
})

test('an event without a payment identifier is ignored with a reason', () => {
  const payment = stripePayment()
  expect(
    translationOf(payment.refund('refund.created', 're_1', { amount: 5, charge: null, payment_intent: null })),
  ).toEqual({
    ignored: 'no_payment_named',
  })
  expect(translationOf(event('2026', 'invoice_payment.paid', { invoice: 'in_1' }))).toEqual({
    ignored: 'nothing_to_tie',
  })
})

test('events about promotion codes say what their IDs stand for', () => {
  const discount = { id: 'di_1', promotion_code: 'promo_1' }
  for (const type of ['promotion_code.created', 'promotion_code.updated'])
    expect(translationOf(event('2026', type, { id: 'promo_1', code: 'SAM20' }))).toEqual({
      learned: [{ id: 'promo_1', text: 'SAM20' }],
    })
  for (const type of ['customer.discount.created', 'customer.discount.updated'])
    expect(translationOf(event('2026', type, discount))).toEqual({ learned: [{ id: 'di_1', sameAs: 'promo_1' }] })
})

test('every event has a translation, whatever it contains', () => {
  for (const type of EVENT_TYPES)
    for (const object of [{}, { id: 5 }, { amount_paid: {} }, { lines: { data: 'no' }, payments: [] }])
      expect(Object.keys(translateEvent(event('2026', type, object)))).toHaveLength(1)
})

test('every translated type is covered here', () => {
  expect(EVENT_TYPES.filter((type) => !covered.has(type))).toEqual([])
})
