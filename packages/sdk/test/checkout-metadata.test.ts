import { describe, expect, test } from 'bun:test'
import { checkoutMetadata, Tributary, TributaryArgumentError, withCheckoutMetadata } from '@tributary/sdk'
import type Stripe from 'stripe'

const CUSTOMER = { clickId: '12_click', customerExternalId: 'user_42', programId: 12 }
const KEYS = { service_click_id: '12_click', service_customer_key: 'user_42', program_id: '12' }
type Session = Stripe.Checkout.SessionCreateParams

describe('checkoutMetadata', () => {
  test('returns the three keys for a checkout session and its subscription', () => {
    const session: Session = { mode: 'subscription', ...checkoutMetadata(CUSTOMER) }
    expect(session).toEqual({ mode: 'subscription', metadata: KEYS, subscription_data: { metadata: KEYS } })
  })

  test('returns them for the payment in payment mode, where the processor rejects subscription_data', () => {
    const session: Session = { mode: 'payment', ...checkoutMetadata({ ...CUSTOMER, mode: 'payment' }) }
    expect(session).toEqual({ mode: 'payment', metadata: KEYS, payment_intent_data: { metadata: KEYS } })
  })

  test('leaves out a missing click, because an empty value would delete the key', () => {
    for (const clickId of [null, undefined])
      expect(checkoutMetadata({ ...CUSTOMER, clickId }).metadata).toEqual({
        service_customer_key: 'user_42',
        program_id: '12',
      })
  })

  test('takes the program from the options of Tributary by default', () => {
    const options = { apiKey: 'trk_a_b', baseUrl: 'https://track.example' }
    const { programId: _, ...customer } = CUSTOMER
    const tributary = new Tributary({ ...options, programId: 7 })
    expect(tributary.checkoutMetadata(customer).subscription_data.metadata.program_id).toBe('7')
    expect(tributary.checkoutMetadata(CUSTOMER).metadata.program_id).toBe('12')
    expect(tributary.checkoutMetadata({ ...CUSTOMER, mode: 'payment' }).payment_intent_data.metadata).toEqual(KEYS)
    expect(() => new Tributary(options).checkoutMetadata(customer)).toThrow('programId must be the program ID')
  })

  test('throws for wrong arguments', () => {
    const wrong = [{ customerExternalId: '' }, { customerExternalId: 7 }, { programId: 'acme' }, { mode: 'setup' }]
    for (const part of [...wrong, { click_id: '1' }, { programId: 1.5 }])
      expect(() => checkoutMetadata({ ...CUSTOMER, ...part } as never)).toThrow(TributaryArgumentError)
    expect(() => checkoutMetadata(undefined as never)).toThrow('takes one object')
  })
})

describe('withCheckoutMetadata', () => {
  test('adds the keys to a subscription session and keeps everything else', () => {
    const session = {
      mode: 'subscription',
      line_items: [{ price: 'price_1', quantity: 1 }],
      metadata: { cart: '7' },
      subscription_data: { trial_period_days: 14, metadata: { plan: 'pro' } },
    } satisfies Session
    const before = structuredClone(session)
    const sent: Session = withCheckoutMetadata(session, CUSTOMER)
    expect(sent).toEqual({
      ...before,
      metadata: { cart: '7', ...KEYS },
      subscription_data: { trial_period_days: 14, metadata: { plan: 'pro', ...KEYS } },
    })
    expect(session).toEqual(before)
  })

  test('accepts any parameter that the processor’s types allow', () => {
    const create = (session: Session) => session
    const subscription = create(
      withCheckoutMetadata({ mode: 'subscription', subscription_data: { trial_period_days: 14 } }, CUSTOMER),
    )
    expect(subscription.subscription_data).toEqual({ trial_period_days: 14, metadata: KEYS })
    const payment = create(
      withCheckoutMetadata({ mode: 'payment', payment_intent_data: { capture_method: 'manual' } }, CUSTOMER),
    )
    expect(payment.payment_intent_data).toEqual({ capture_method: 'manual', metadata: KEYS })
  })

  test('reads the mode from the session', () => {
    const payment: Session = withCheckoutMetadata({ mode: 'payment' } as Session, CUSTOMER)
    expect(payment).toEqual({ mode: 'payment', metadata: KEYS, payment_intent_data: { metadata: KEYS } })
    const setup: Session = withCheckoutMetadata({ mode: 'setup' } as Session, CUSTOMER)
    expect(setup).toEqual({ mode: 'setup', metadata: KEYS })
  })

  test('throws for anything that is not a session, and says what to pass', () => {
    for (const session of [undefined, null, 'cs_1', [], () => {}]) {
      const call = () => withCheckoutMetadata(session as never, CUSTOMER)
      expect(call).toThrow(TributaryArgumentError)
      expect(call).toThrow('withCheckoutMetadata takes the parameters of a checkout session first, not')
    }
    const odd = [
      { metadata: 'x' },
      { mode: 'payment', payment_intent_data: 7 },
      { mode: 'subscription', subscription_data: { metadata: [] } },
    ]
    for (const session of odd)
      expect(() => withCheckoutMetadata(session as never, CUSTOMER)).toThrow(TributaryArgumentError)
    expect(() => withCheckoutMetadata({ mode: 'payment' }, undefined as never)).toThrow('takes one object')
  })

  test('treats null and the empty string as absent, like the processor', () => {
    const session = { mode: 'subscription', metadata: '', subscription_data: null } as never
    expect(withCheckoutMetadata(session, CUSTOMER) as object).toEqual({
      mode: 'subscription',
      metadata: KEYS,
      subscription_data: { metadata: KEYS },
    })
  })
})
