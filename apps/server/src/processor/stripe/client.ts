import Stripe from 'stripe'
import { Refusal } from '../../refusal.ts'
import type { StripeSettings } from './settings.ts'

/** The official client, for Stripe or a test double. */
export const createStripeClient = (key: string, base: string, { maxNetworkRetries = 2 } = {}) => {
  const { hostname, port, protocol } = new URL(base)
  return new Stripe(key, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    maxNetworkRetries,
    timeout: 10_000,
    telemetry: false,
  })
}

/** Passes on Stripe's message for a wrong key or a failed connection. */
export const refuseWithStripeMessage = (error: unknown): never => {
  if (error instanceof Stripe.errors.StripeError)
    throw new Refusal('unavailable', `Stripe says: ${error.message}`, {
      reason: 'payment_processor',
      retryAfterSeconds: 5,
    })
  throw error
}

export const findAccountId = async ({ settings, key }: { settings: StripeSettings; key: string }) =>
  (await createStripeClient(key, settings.apiBase).accounts.retrieveCurrent().catch(refuseWithStripeMessage)).id
