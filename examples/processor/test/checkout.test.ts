import { describe, expect, test } from 'bun:test'
import type Stripe from 'stripe'
import { givenMerchant, KEYS, monthly, oneTime } from './given-merchant.ts'

const objectOf = <T>(received: { event: Stripe.Event }[], type: string) => {
  const found = received.filter(({ event }) => event.type === type)
  expect({ type, count: found.length }).toEqual({ type, count: 1 })
  return found[0]?.event.data.object as unknown as T
}

for (const generation of [2024, 2026] as const)
  describe(`the ${generation} API through the official client`, () => {
    test('a one-time checkout sends signed events in order, with the keys on session, intent and charge', async () => {
      const { processor, listener, stripe } = givenMerchant({ apiVersion: generation })
      const session = await stripe.checkout.sessions.create(oneTime())
      expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 4900, metadata: KEYS })
      expect(session.url).toBe(`${processor.url}/pay/${session.id}`)

      processor.pay(session.id)
      await processor.settled()

      expect(listener.types()).toEqual([
        'payment_intent.created',
        'charge.succeeded',
        'payment_intent.succeeded',
        'checkout.session.completed',
      ])
      const paid = await stripe.checkout.sessions.retrieve(session.id)
      const charge = objectOf<Stripe.Charge>(listener.received, 'charge.succeeded')
      expect(paid).toMatchObject({
        status: 'complete',
        payment_status: 'paid',
        payment_intent: charge.payment_intent as string,
      })
      expect(objectOf<Stripe.PaymentIntent>(listener.received, 'payment_intent.succeeded')).toMatchObject({
        latest_charge: charge.id,
        amount_received: 4900,
        metadata: KEYS,
      })
      expect(charge.metadata).toEqual(KEYS)
      expect('invoice' in charge).toBe(generation === 2024)
    })

    test('a subscription has its keys and invoice link where this API generation puts them', async () => {
      const { processor, listener, stripe } = givenMerchant({ apiVersion: generation })
      const session = await stripe.checkout.sessions.create(monthly())
      const { ids } = processor.pay(session.id)
      await processor.settled()

      const invoice = objectOf<Record<string, unknown>>(listener.received, 'invoice.paid')
      expect(invoice).toMatchObject({ billing_reason: 'subscription_create', amount_paid: 2400, currency: 'eur' })
      const completed = objectOf<Stripe.Checkout.Session>(listener.received, 'checkout.session.completed')
      expect(completed).toMatchObject({ invoice: ids.invoice, subscription: ids.subscription, payment_intent: null })
      if (generation === 2024) {
        expect(invoice).toMatchObject({
          subscription: ids.subscription,
          subscription_details: { metadata: KEYS },
          payment_intent: ids.intent,
          charge: ids.charge,
        })
        expect(listener.types()).not.toContain('invoice_payment.paid')
      } else {
        expect(invoice).toMatchObject({
          parent: {
            type: 'subscription_details',
            subscription_details: { metadata: KEYS, subscription: ids.subscription },
          },
        })
        expect(Object.keys(invoice)).not.toContain('payment_intent')
        expect(objectOf<Stripe.InvoicePayment>(listener.received, 'invoice_payment.paid')).toMatchObject({
          invoice: ids.invoice,
          payment: { type: 'payment_intent', payment_intent: ids.intent },
        })
      }
      expect((await stripe.subscriptions.retrieve(ids.subscription ?? '')).metadata).toEqual(KEYS)
    })

    test('a renewal creates another invoice of the same subscription, without a checkout', async () => {
      const { processor, listener, stripe } = givenMerchant({ apiVersion: generation })
      const session = await stripe.checkout.sessions.create(monthly())
      const first = processor.pay(session.id)
      await processor.settled()
      listener.received.length = 0
      const second = processor.renew(first.ids.subscription ?? '')
      await processor.settled()
      expect(second.ids.invoice).not.toBe(first.ids.invoice)
      expect(objectOf<Stripe.Invoice>(listener.received, 'invoice.paid')).toMatchObject({
        id: second.ids.invoice,
        billing_reason: 'subscription_cycle',
        customer: first.ids.customer,
      })
      expect(listener.types().some((type) => type.startsWith('checkout.'))).toBe(false)
    })

    test('a bank debit completes unpaid, then succeeds or fails', async () => {
      const { processor, listener, stripe } = givenMerchant({ apiVersion: generation })
      for (const outcome of ['succeeds', 'fails'] as const) {
        listener.received.length = 0
        const session = await stripe.checkout.sessions.create(oneTime())
        processor.pay(session.id, 'bank_debit')
        await processor.settled()
        expect(objectOf<Stripe.Checkout.Session>(listener.received, 'checkout.session.completed').payment_status).toBe(
          'unpaid',
        )
        expect(listener.types()).toContain('payment_intent.processing')
        processor.settle(session.id, outcome)
        await processor.settled()
        const suffix = outcome === 'succeeds' ? 'succeeded' : 'failed'
        expect(listener.types().at(-1)).toBe(`checkout.session.async_payment_${suffix}`)
        expect(listener.types()).toContain(`charge.${suffix}`)
      }
    })

    test('every event has the API version and mode of its account', async () => {
      const { processor, listener, stripe } = givenMerchant({ apiVersion: generation, livemode: false })
      processor.pay((await stripe.checkout.sessions.create(oneTime())).id)
      await processor.settled()
      for (const { event } of listener.received) {
        expect(event.api_version).toStartWith(String(generation))
        expect(event.livemode).toBe(false)
      }
    })
  })

test('automatic tax is added on top and reported separately', async () => {
  const { processor, listener, stripe } = givenMerchant({ taxBps: 1900 })
  const session = await stripe.checkout.sessions.create({ ...oneTime(10_000), automatic_tax: { enabled: true } })
  expect(session).toMatchObject({ amount_subtotal: 10_000, amount_total: 11_900 })
  processor.pay(session.id)
  await processor.settled()
  const completed = objectOf<Stripe.Checkout.Session>(listener.received, 'checkout.session.completed')
  expect(completed.total_details?.amount_tax).toBe(1900)
})

test('a free trial has a zero invoice and no charge', async () => {
  const { processor, listener, stripe } = givenMerchant()
  const trial = { ...monthly(), subscription_data: { metadata: KEYS, trial_period_days: 14 } }
  const session = await stripe.checkout.sessions.create(trial)
  processor.pay(session.id)
  await processor.settled()
  expect(objectOf<Stripe.Invoice>(listener.received, 'invoice.paid').amount_paid).toBe(0)
  expect(objectOf<Stripe.Checkout.Session>(listener.received, 'checkout.session.completed').payment_status).toBe(
    'no_payment_required',
  )
  expect(listener.types().some((type) => type.startsWith('charge.'))).toBe(false)
})

test('a setup checkout takes no payment', async () => {
  const { processor, listener, stripe } = givenMerchant()
  const session = await stripe.checkout.sessions.create({
    mode: 'setup',
    currency: 'usd',
    success_url: 'https://shop.example/',
  })
  processor.pay(session.id)
  await processor.settled()
  expect(listener.types()).toEqual(['customer.created', 'checkout.session.completed'])
})

test('what Stripe rejects is rejected here with the same kind of error', async () => {
  const { processor, stripe } = givenMerchant()
  const rejection = (params: Stripe.Checkout.SessionCreateParams) =>
    stripe.checkout.sessions.create(params).then(
      () => null,
      (error: Stripe.errors.StripeError) => ({ type: error.type, param: error.param }),
    )
  const type = 'StripeInvalidRequestError'
  expect(await rejection({ ...oneTime(), subscription_data: { metadata: KEYS } })).toEqual({
    type,
    param: 'subscription_data',
  })
  expect(await rejection({ ...monthly(), payment_intent_data: { metadata: KEYS } })).toEqual({
    type,
    param: 'payment_intent_data',
  })
  expect(await rejection({ ...oneTime(), line_items: [] })).toEqual({ type, param: 'line_items' })
  expect(processor.store.payments.size).toBe(0)
  await expect(stripe.checkout.sessions.retrieve('cs_live_unknown')).rejects.toThrow('No such session')
})

test('two calls with one idempotency key open one checkout', async () => {
  const { processor, stripe } = givenMerchant()
  const first = await stripe.checkout.sessions.create(oneTime(), { idempotencyKey: 'order-1' })
  const again = await stripe.checkout.sessions.create(oneTime(), { idempotencyKey: 'order-1' })
  expect(again.id).toBe(first.id)
  expect(processor.store.payments.size).toBe(1)
})
