import Stripe from 'stripe'
import type { ShopConfig } from './config.ts'
import type { Customer, Order } from './customers.ts'
import { createOtherCheckout } from './other-checkout.ts'
import { findPlan, type Plan } from './plans.ts'
import type { Referrals } from './referrals.ts'

export type Purchase = { customer: Customer; plan: Plan; cookies: string | undefined; shopUrl: string }

export const createHostedCheckout = (config: ShopConfig, referrals: Referrals): HostedCheckout =>
  (config.processor ?? 'stripe') === 'stripe'
    ? createStripeCheckout(config, referrals)
    : createOtherCheckout(config, referrals)

type HostedCheckout = ReturnType<typeof createOtherCheckout>

/** Sells through the processor's hosted checkout, in the merchant's account. */
const createStripeCheckout = ({ processorUrl, processorKey }: ShopConfig, referrals: Referrals) => {
  const { hostname, port, protocol } = new URL(processorUrl)
  const isPlain = protocol === 'http:'
  const stripe = new Stripe(processorKey, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    telemetry: false,
  })
  return {
    /** Returns the URL of the checkout page. */
    open: async ({ customer, plan, cookies, shopUrl }: Purchase) => {
      const session = await stripe.checkout.sessions.create({
        mode: plan.mode,
        line_items: [{ quantity: 1, price_data: priceData(plan) }],
        customer_email: customer.email,
        client_reference_id: customer.id,
        success_url: `${shopUrl}/thanks?plan=${plan.id}&session={CHECKOUT_SESSION_ID}`,
        cancel_url: `${shopUrl}/pricing`,
        // This line is all a merchant adds for Tributary.
        ...referrals.checkoutKeys(customer, cookies, plan.mode),
      })
      return session.url ?? `${shopUrl}/pricing`
    },

    /** Verifies the session ID from the URL with the processor. Null unless it is a completed order of this customer. */
    findOrder: async (customer: Customer, sessionId: string, planId: string | undefined): Promise<Order | null> => {
      const session = await stripe.checkout.sessions.retrieve(sessionId).catch(() => null)
      const plan = findPlan(planId)
      if (!plan || session?.client_reference_id !== customer.id || session.status !== 'complete') return null
      if (session.amount_total !== plan.amountCents) return null
      return { id: session.id, plan, state: session.payment_status === 'paid' ? 'paid' : 'pending' }
    },
  }
}

const priceData = ({ name, amountCents, currency, mode }: Plan) => ({
  currency,
  unit_amount: amountCents,
  product_data: { name: `Quillet ${name}` },
  ...(mode === 'subscription' && { recurring: { interval: 'month' as const } }),
})
