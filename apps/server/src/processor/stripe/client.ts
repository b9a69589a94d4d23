import Stripe from 'stripe'

/** The official client, for Stripe or a test double. */
export const createStripeClient = (key: string, base: string) => {
  const { hostname, port, protocol } = new URL(base)
  return new Stripe(key, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
  })
}
