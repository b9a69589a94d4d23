import { Refusal } from '../../refusal.ts'
import type { ListedAccount } from '../port.ts'
import { createStripeClient, findAccountId, refuseWithStripeMessage } from './client.ts'
import type { StripeSettings } from './settings.ts'

/** Stripe's maximum page size. It keeps events for thirty days. */
const PAGE_SIZE = 100

/** The account's events from the API, newest first, each in the form a webhook would deliver. */
export async function* listEvents(settings: StripeSettings, { kind, accountId, apiKey }: ListedAccount, since: Date) {
  const isPlatform = kind === 'platform'
  const key = keyFor(apiKey ? { ...settings, apiKey } : settings, isPlatform)
  if (!isPlatform && accountId) await refuseOtherAccount(settings, { key, known: accountId })
  const stripe = createStripeClient(key, settings.apiBase)
  const account = isPlatform && accountId ? { stripeAccount: accountId } : {}
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

/** A platform uses its own key for a connected account; a merchant's own account needs that account's key. */
const keyFor = ({ secretKey, apiKey }: StripeSettings, isPlatform: boolean) => {
  const key = isPlatform ? secretKey : apiKey
  if (key) return key
  throw new Refusal(
    'conflict',
    isPlatform
      ? 'Set STRIPE_SECRET_KEY to the same value as the service.'
      : 'Save an API key in the payment settings, or set STRIPE_API_KEY to a key of the account that can read events and the account. This command does not store it.',
  )
}

/** A key of another account would credit that account's payments here. */
const refuseOtherAccount = async (settings: StripeSettings, { key, known }: { key: string; known: string }) => {
  const accountId = await findAccountId({ settings, key })
  if (accountId !== known)
    throw new Refusal(
      'conflict',
      `The API key belongs to account ${accountId}, but the program is connected to ${known}. Use a key of that account.`,
    )
}
