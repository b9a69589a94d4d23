import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { Refusal } from '../../refusal.ts'
import type { Endpoints } from '../port.ts'
import { createStripeClient } from './client.ts'
import type { StripeSettings } from './settings.ts'

const PERMISSION = 'Webhook Endpoints: write'
/** Stripe allows fewer endpoints than this. */
const ALL = 100
type EnabledEvents = Stripe.WebhookEndpointCreateParams.EnabledEvent[]

/** Webhook endpoints that a merchant's restricted key creates. Every call has the client's time limit and is made once. */
export const endpointsWith = (settings: StripeSettings): Endpoints => {
  const open = (key: string) => createStripeClient(key, settings.apiBase, { maxNetworkRetries: 0 }).webhookEndpoints
  return {
    create: async (key, { url, eventTypes }) => {
      const attempt = randomUUID()
      const created = await open(key)
        .create({
          url,
          enabled_events: eventTypes as EnabledEvents,
          description: 'Tributary',
          metadata: { tributary_attempt: attempt },
        })
        .catch(async (error: unknown) => {
          // The answer may be lost although the endpoint exists. No one knows its secret.
          if (isUnanswered(error)) await removeAll(open(key), ({ metadata }) => metadata.tributary_attempt === attempt)
          return refuse(error)
        })
      if (!created.secret) throw new Error('Stripe returned an endpoint without its signing secret')
      return { id: created.id, secret: created.secret, eventTypes: created.enabled_events }
    },

    update: async (key, { id, url, eventTypes }) => {
      const changed = await open(key)
        .update(id, { url, enabled_events: eventTypes as EnabledEvents, disabled: false })
        .catch(refuseMissing)
      return { eventTypes: changed.enabled_events }
    },

    remove: async (key, id) => {
      await open(key)
        .del(id)
        .catch((error: unknown) => (isMissing(error) ? undefined : refuse(error)))
    },

    removeOthers: (key, { id, url }) =>
      removeAll(open(key), (one) => one.url === url && one.id !== id && 'tributary_attempt' in one.metadata),
  }
}

type Api = Stripe['webhookEndpoints']

/** Best effort: what remains receives 400 from us, and the next successful call removes it. */
const removeAll = async (api: Api, isUnused: (endpoint: Stripe.WebhookEndpoint) => boolean) => {
  try {
    const { data } = await api.list({ limit: ALL })
    for (const { id } of data.filter(isUnused)) await api.del(id)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
  }
}

const isUnanswered = (error: unknown) =>
  error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError

const isMissing = (error: unknown) => error instanceof Stripe.errors.StripeError && error.statusCode === 404

const refuseMissing = (error: unknown): never =>
  isMissing(error)
    ? refuseForGood('Stripe no longer has the endpoint. Disconnect here and connect again.')
    : refuse(error)

/** Names what Stripe refused, and what to do. */
const refuse = (error: unknown): never => {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  const { statusCode: status, message } = error
  if (status === 401) return refuseForGood('Stripe does not accept the API key (401). Paste a valid one.')
  if (status === 403)
    return refuseForGood(`The API key lacks a permission (Stripe answers 403). Give it “${PERMISSION}” in Stripe.`)
  if (status === 429) return refuseForNow('Stripe limits the number of requests (429)')
  if (status === undefined) return refuseForNow('Stripe cannot be reached or did not answer in time')
  return status < 500 ? refuseForGood(`Stripe says: ${message}`) : refuseForNow(`Stripe answers with status ${status}`)
}

const refuseForGood = (message: string): never => {
  throw new Refusal('conflict', message)
}

const refuseForNow = (what: string): never => {
  const details = { reason: 'payment_processor', retryAfterSeconds: 30 } as const
  throw new Refusal('unavailable', `${what}. Nothing changed. Try again in a minute.`, details)
}
