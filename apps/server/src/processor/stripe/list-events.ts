import type { StripeSettings } from '../../config/stripe.ts'
import { refuseInItsWords, stripeAt } from './client.ts'

/** Stripe's maximum page size. It keeps events for thirty days. */
const PAGE = 100

type Asked = { settings: StripeSettings; key: string; accountId: string | null; since: Date }

/** The account's events from the API, newest first, each in the form a webhook would deliver. */
export async function* listEvents({ settings, key, accountId, since }: Asked) {
  const stripe = stripeAt(key, settings.apiBase)
  const account = accountId ? { stripeAccount: accountId } : {}
  const created = { gte: Math.floor(since.getTime() / 1000) }
  let after: string | undefined
  for (;;) {
    const from = after ? { starting_after: after } : {}
    const page = await stripe.events.list({ limit: PAGE, created, ...from }, account).catch(refuseInItsWords)
    yield page.data.map((event) => ({ id: event.id, text: JSON.stringify(event) }))
    after = page.data.at(-1)?.id
    if (!page.has_more || !after) return
  }
}
