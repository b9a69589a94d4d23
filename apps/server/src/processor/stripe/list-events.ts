import { Refusal } from '../../refusal.ts'
import { callApi } from '../call-api.ts'
import type { ListedAccount, ListedEvent } from '../port.ts'
import { fieldsOf, idOf, itemsOf } from '../translating/fields.ts'
import type { StripeSettings } from './settings.ts'

/** Stripe's maximum page size. It keeps events for thirty days. */
const PAGE_SIZE = '100'

/** The account's events from the API, newest first, each in the form a webhook would deliver. */
export async function* listEvents(
  settings: StripeSettings,
  { kind, accountId, apiKey }: ListedAccount,
  since: Date,
): AsyncIterable<ListedEvent[]> {
  const isPlatform = kind === 'platform'
  const key = keyFor(apiKey ? { ...settings, apiKey } : settings, isPlatform)
  const get = (path: string) =>
    callApi(`${settings.apiBase}/v1/${path}`, {
      label: 'Stripe',
      key,
      permission: '“Events: read” and “Accounts: read”',
      ...(isPlatform && accountId && { headers: { 'stripe-account': accountId } }),
    })
  if (!isPlatform && accountId) refuseOtherAccount(idOf(await get('account')), accountId)
  const created = String(Math.floor(since.getTime() / 1000))
  for (let after: string | null = null; ; ) {
    const query = { limit: PAGE_SIZE, 'created[gte]': created, ...(after && { starting_after: after }) }
    const { data, has_more } = await get(`events?${new URLSearchParams(query)}`)
    const events = itemsOf(data).map(fieldsOf)
    yield events.flatMap((event) => {
      const id = idOf(event)
      return id ? [{ id, text: JSON.stringify(event) }] : []
    })
    after = idOf(events.at(-1))
    if (has_more !== true || !after) return
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
const refuseOtherAccount = (accountId: string | null, known: string) => {
  if (accountId === known) return
  throw new Refusal(
    'conflict',
    `The API key belongs to account ${accountId}, but the program is connected to ${known}. Use a key of that account.`,
  )
}
