import { Refusal } from '../../refusal.ts'
import { callApi } from '../call-api.ts'
import { listedEvents, readPages, refuseOtherAccount } from '../listing.ts'
import type { ListedAccount, ListedEvent } from '../port.ts'
import { fieldsOf, idOf, itemsOf } from '../translating/fields.ts'
import type { StripeSettings } from './settings.ts'

const STRIPE = { label: 'Stripe', permission: '“Events: read” and “Accounts: read”' }
/** Stripe's maximum page size. It keeps events for thirty days. */
const PAGE_SIZE = '100'

/** The account's events from the API, newest first. A platform reads those of a connected account with its own key. */
export async function* listEvents(
  { apiBase, secretKey, apiKey: keyOfCommand }: StripeSettings,
  { kind, accountId, apiKey }: ListedAccount,
  since: Date,
): AsyncIterable<ListedEvent[]> {
  const isPlatform = kind === 'platform'
  const key = isPlatform ? secretKey : (apiKey ?? keyOfCommand)
  if (!key) throw missingKey(isPlatform)
  const headers: Record<string, string> = isPlatform && accountId ? { 'stripe-account': accountId } : {}
  const get = (path: string) => callApi(`${apiBase}/v1/${path}`, { ...STRIPE, key, headers })
  if (!isPlatform && accountId) refuseOtherAccount(idOf(await get('account')), accountId)
  const query = { limit: PAGE_SIZE, 'created[gte]': String(Math.floor(since.getTime() / 1000)) }
  yield* readPages({}, async (after) => {
    const { data, has_more } = await get(`events?${new URLSearchParams({ ...query, ...after })}`)
    const events = itemsOf(data).map(fieldsOf)
    const last = has_more === true ? idOf(events.at(-1)) : null
    return { events: listedEvents(events, 'id'), next: last && { starting_after: last } }
  })
}

const missingKey = (isPlatform: boolean) =>
  new Refusal(
    'conflict',
    isPlatform
      ? 'Set STRIPE_SECRET_KEY to the same value as the service.'
      : 'Save an API key in the payment settings, or set STRIPE_API_KEY to a key of the account that can read events and the account. This command does not store it.',
  )
