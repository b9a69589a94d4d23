import { callApi } from '../call-api.ts'
import type { Endpoints } from '../port.ts'
import { type Fields, fieldsOf, idOf, itemsOf, read } from '../translating/fields.ts'
import type { StripeSettings } from './settings.ts'

/** Stripe allows fewer endpoints than this. */
const ALL = 100

/** Webhook endpoints that a merchant's restricted key creates. */
export const endpointsWith = ({ apiBase }: StripeSettings): Endpoints => {
  const call = (key: string, path: string, method: 'GET' | 'POST' | 'DELETE', form?: [string, string][]) =>
    callApi(`${apiBase}/v1/webhook_endpoints${path}`, {
      label: 'Stripe',
      key,
      permission: '“Webhook Endpoints: write”',
      method,
      ...(form && { form: new URLSearchParams(form) }),
    })
  return {
    create: async (key, { url, eventTypes, attempt }) => {
      const about: [string, string][] = [
        ['description', 'Tributary'],
        ['metadata[tributary_attempt]', attempt],
      ]
      const created = await call(key, '', 'POST', [['url', url], ...eventsOf(eventTypes), ...about])
      return { id: textIn(created.id), secret: textIn(created.secret), eventTypes: subscribedIn(created) }
    },
    update: async (key, { id, url, eventTypes }) => {
      const form: [string, string][] = [['url', url], ...eventsOf(eventTypes), ['disabled', 'false']]
      return { eventTypes: subscribedIn(await call(key, `/${id}`, 'POST', form)) }
    },
    remove: async (key, id) => {
      await call(key, `/${id}`, 'DELETE')
    },
    listCreated: async (key) => {
      const { data } = await call(key, `?limit=${ALL}`, 'GET')
      return itemsOf(data).flatMap((endpoint) => {
        const attempt = idOf(read(endpoint, 'metadata', 'tributary_attempt'))
        return attempt ? [{ id: textIn(idOf(endpoint)), url: String(fieldsOf(endpoint).url), attempt }] : []
      })
    },
  }
}

const eventsOf = (eventTypes: string[]) =>
  eventTypes.map((type, index): [string, string] => [`enabled_events[${index}]`, type])

const subscribedIn = ({ enabled_events }: Fields) => itemsOf(enabled_events).map(String)

const textIn = (value: unknown) => {
  if (typeof value !== 'string') throw new Error('Stripe returned an endpoint without its ID or signing secret')
  return value
}
