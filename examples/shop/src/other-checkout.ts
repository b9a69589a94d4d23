import type { ShopConfig } from './config.ts'
import type { Customer, Order } from './customers.ts'
import type { Purchase } from './hosted-checkout.ts'
import { findPlan } from './plans.ts'
import type { Referrals } from './referrals.ts'

/**
 * Sells through the hosted checkout of a fake processor other than Stripe. With a real one, the three keys go into
 * `custom_data` (Paddle), `checkout_data.custom` (Lemon Squeezy) or `metadata` (Polar, Dodo).
 */
export const createOtherCheckout = ({ processorUrl }: ShopConfig, referrals: Referrals) => ({
  /** Returns the URL of the checkout page. */
  open: async ({ customer, plan, cookies, shopUrl }: Purchase) => {
    const checkout = {
      product: `Quillet ${plan.name}`,
      priceCents: plan.amountCents,
      currency: plan.currency,
      mode: plan.mode,
      email: customer.email,
      name: customer.name,
      reference: customer.id,
      // This line is all a merchant adds for Tributary.
      metadata: referrals.checkoutKeys(customer, cookies, plan.mode).metadata,
      successUrl: `${shopUrl}/thanks?plan=${plan.id}&session={CHECKOUT_ID}`,
      cancelUrl: `${shopUrl}/pricing`,
    }
    const response = await fetch(`${processorUrl}/checkouts`, { method: 'POST', body: JSON.stringify(checkout) })
    if (!response.ok) throw new Error(`The processor returned ${response.status}.`)
    return ((await response.json()) as { url: string }).url
  },

  /** Verifies the ID from the URL with the processor. Null unless it is a completed order of this customer. */
  findOrder: async (customer: Customer, checkoutId: string, planId: string | undefined): Promise<Order | null> => {
    const plan = findPlan(planId)
    const response = await fetch(`${processorUrl}/checkouts/${encodeURIComponent(checkoutId)}`)
    if (!plan || !response.ok) return null
    const { id, status, reference, priceCents } = (await response.json()) as Checkout
    if (reference !== customer.id || status !== 'complete' || priceCents !== plan.amountCents) return null
    return { id, plan, state: 'paid' }
  },
})

type Checkout = { id: string; status: 'open' | 'complete'; reference: string; priceCents: number }
