import Stripe from 'stripe'
import { Refusal } from '../../refusal.ts'

/** The official client, at Stripe or at whatever stands in for it. */
export const stripeAt = (key: string, base: string) => {
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

/** A wrong key, or no way to Stripe: its own sentence says which. */
export const refuseInItsWords = (error: unknown): never => {
  if (error instanceof Stripe.errors.StripeError) throw new Refusal('unavailable', `Stripe says: ${error.message}`)
  throw error
}
