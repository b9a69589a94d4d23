import { afterAll } from 'bun:test'
import Stripe from 'stripe'
import { DEFAULT_ACCOUNT, type ProcessorOptions, startProcessor } from '../src/index.ts'

/** The official client, pointed at the fake processor. */
export const clientOf = (port: number, secretKey = DEFAULT_ACCOUNT.secretKey, settings: object = {}) =>
  new Stripe(secretKey, { host: 'localhost', port, protocol: 'http', telemetry: false, ...settings })

type Received = { event: Stripe.Event; signature: string; body: string }

/** An endpoint that checks every signature with the official library. */
export const givenListener = () => {
  const received: Received[] = []
  const state = { secret: '', status: 200 }
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const body = await request.text()
      const signature = request.headers.get('stripe-signature') ?? ''
      const event = await Stripe.webhooks.constructEventAsync(body, signature, state.secret)
      received.push({ event, signature, body })
      return new Response(null, { status: state.status })
    },
  })
  afterAll(() => server.stop(true))
  return {
    url: `http://localhost:${server.port}/hook`,
    received,
    state,
    types: () => received.map(({ event }) => event.type),
  }
}

/** A processor with a merchant's client and endpoint. */
export const givenMerchant = (options: ProcessorOptions = {}) => {
  const processor = startProcessor({ retryDelaysMs: [1, 1], ...options })
  afterAll(processor.stop)
  const listener = givenListener()
  listener.state.secret = processor.addEndpoint({ url: listener.url }).secret
  return { processor, listener, stripe: clientOf(processor.port) }
}

export const KEYS = { service_click_id: 'click-1', service_customer_key: 'user-1', program_id: '7' }

export const oneTime = (unitAmount = 4900): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  line_items: [
    { quantity: 1, price_data: { currency: 'usd', unit_amount: unitAmount, product_data: { name: 'Lamp' } } },
  ],
  metadata: KEYS,
  payment_intent_data: { metadata: KEYS },
  success_url: 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/pricing',
})

export const monthly = (unitAmount = 1200): Stripe.Checkout.SessionCreateParams => ({
  mode: 'subscription',
  line_items: [
    {
      quantity: 2,
      price_data: {
        currency: 'eur',
        unit_amount: unitAmount,
        product_data: { name: 'Seats' },
        recurring: { interval: 'month' },
      },
    },
  ],
  metadata: KEYS,
  subscription_data: { metadata: KEYS },
  success_url: 'https://shop.example/thanks',
})
