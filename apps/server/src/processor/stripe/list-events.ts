import type { StripeSettings } from '../../config/stripe.ts'
import { createStripeClient, refuseWithStripeMessage } from './client.ts'

/** Stripe's maximum page size. It keeps events for thirty days. */
const PAGE_SIZE = 100

type ListOptions = { settings: StripeSettings; key: string; accountId: string | null; since: Date }

/** The account's events from the API, newest first, each in the form a webhook would deliver. */
export async function* listEvents({ settings, key, accountId, since }: ListOptions) {
  const stripe = createStripeClient(key, settings.apiBase)
  const account = accountId ? { stripeAccount: accountId } : {}
  const created = { gte: Math.floor(since.getTime() / 1000) }
  let after: string | undefined
  for (;;) {
    const from = after ? { starting_after: after } : {}
    const page = await stripe.events
      .list({ limit: PAGE_SIZE, created, ...from }, account)
      .catch(refuseWithStripeMessage)
    yield page.data.map((event) => ({ id: event.id, text: JSON.stringify(event) }))
    after = page.data.at(-1)?.id
    if (!page.has_more || !after) return
  }
}
