import { type Call, callApi, textIn } from '../call-api.ts'
import type { Endpoints } from '../port.ts'
import { type Fields, fieldsOf, idOf, itemsOf, valueAt } from '../translating/fields.ts'
import type { StripeSettings } from './settings.ts'

/** Stripe allows fewer endpoints than this. */
const ALL = 100
const STRIPE = { label: 'Stripe', permission: '“Webhook Endpoints: write”' }

/** Webhook endpoints that a merchant's restricted key creates. */
export const endpointsWith = ({ apiBase }: StripeSettings): Endpoints => {
  const call = (key: string, path: string, request?: Pick<Call, 'method' | 'form'>) =>
    callApi(`${apiBase}/v1/webhook_endpoints${path}`, { ...STRIPE, key, ...request })
  return {
    create: async (key, { url, eventTypes, attempt }) => {
      const about = { description: 'Tributary', metadata: { tributary_attempt: attempt } }
      const created = await call(key, '', { method: 'POST', form: { url, enabled_events: eventTypes, ...about } })
      const [id, secret] = [textIn(created, 'id', STRIPE), textIn(created, 'secret', STRIPE)]
      return { id, secret, eventTypes: subscribedIn(created) }
    },
    update: async (key, { id, url, eventTypes }) => {
      const form = { url, enabled_events: eventTypes, disabled: 'false' }
      return { eventTypes: subscribedIn(await call(key, `/${id}`, { method: 'POST', form })) }
    },
    remove: async (key, id) => {
      await call(key, `/${id}`, { method: 'DELETE' })
    },
    listCreated: async (key) =>
      itemsOf((await call(key, `?limit=${ALL}`)).data)
        .map(fieldsOf)
        .flatMap((endpoint) => {
          const attempt = idOf(valueAt(endpoint, 'metadata.tributary_attempt'))
          return attempt ? [{ id: textIn(endpoint, 'id', STRIPE), url: String(endpoint.url), attempt }] : []
        }),
  }
}

const subscribedIn = ({ enabled_events }: Fields) => itemsOf(enabled_events).map(String)
