import { Refusal } from '../../refusal.ts'
import { callApi } from '../call-api.ts'
import { readPages, refuseOtherAccount } from '../listing.ts'
import type { ListedAccount, ListedEvent } from '../port.ts'
import { type Fields, fieldsOf, idOf, itemsOf, read, wholeNumber } from '../translating/fields.ts'

const PAGE_SIZE = 100

type Page = { items: Fields[]; isLast: boolean }

/** Polar lists every attempt of a delivery, newest first, with its event. It removes the payload after ninety days. */
export async function* listEvents(account: ListedAccount, since: Date): AsyncIterable<ListedEvent[]> {
  const query = { endpoint_id: await endpointOf(account), start_timestamp: since.toISOString() }
  yield* readPages(1, async (number) => {
    const { items, isLast } = await readPage(account, 'deliveries', { ...query, page: String(number) })
    const events = items.flatMap((delivery): [string, ListedEvent][] => {
      const { id, payload } = fieldsOf(delivery.webhook_event)
      const eventId = idOf(id)
      return eventId && typeof payload === 'string' ? [[eventId, { id: eventId, text: payload }]] : []
    })
    return { events: [...new Map(events).values()], next: isLast ? null : number + 1 }
  })
}

/** An organization's other endpoints receive the same events under other IDs. */
const endpointOf = async (account: ListedAccount) => {
  const path = `/api/v1/processor/polar/webhook/${account.programId}`
  for (let number = 1; ; number++) {
    const { items, isLast } = await readPage(account, 'endpoints', { page: String(number) })
    const endpoint = items.find(({ url }) => typeof url === 'string' && url.endsWith(path))
    if (endpoint) return checked(endpoint, account)
    if (isLast)
      throw new Refusal('conflict', `The access token’s organization at Polar has no endpoint that ends with ${path}.`)
  }
}

const checked = (endpoint: Fields, { accountId }: ListedAccount) => {
  const organizationId = idOf(endpoint.organization_id)
  refuseOtherAccount(organizationId, accountId, { key: 'access token', account: 'organization' })
  return String(endpoint.id)
}

const readPage = async (
  { apiKey, isTest }: ListedAccount,
  path: 'deliveries' | 'endpoints',
  query: Record<string, string>,
): Promise<Page> => {
  const host = isTest ? 'sandbox-api.polar.sh' : 'api.polar.sh'
  const url = `https://${host}/v1/webhooks/${path}?${new URLSearchParams({ ...query, limit: String(PAGE_SIZE) })}`
  const answer = await callApi(url, { label: 'Polar', key: apiKey, permission: 'webhooks:read' })
  const last = wholeNumber(read(answer, 'pagination', 'max_page')) ?? 0
  return { items: itemsOf(answer.items).map(fieldsOf), isLast: Number(query.page) >= last }
}
