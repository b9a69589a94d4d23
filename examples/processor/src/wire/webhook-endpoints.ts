import { randomId } from '../ids.ts'
import { ProcessorError } from '../processor-error.ts'
import type { App, Dependencies } from './context.ts'
import { text, textsOf } from './form.ts'

/** Returns the secret only once, like Stripe. */
export const webhookEndpoints = (app: App, { store }: Dependencies) => {
  app.post('/v1/webhook_endpoints', (c) => {
    const form = c.get('form')
    const url = text(form, 'url')
    if (!url || !URL.canParse(url))
      throw new ProcessorError(400, 'Not a valid URL', { param: 'url', code: 'url_invalid' })
    const enabledEvents = textsOf(form, 'enabled_events')
    if (enabledEvents.length === 0)
      throw new ProcessorError(400, 'Missing required param: enabled_events.', { param: 'enabled_events' })
    const endpoint = {
      id: randomId('we'),
      url,
      secret: randomId('whsec'),
      account: c.get('account'),
      connect: text(form, 'connect') === 'true',
      enabledEvents,
    }
    store.endpoints.push(endpoint)
    return c.json({
      id: endpoint.id,
      object: 'webhook_endpoint',
      api_version: null,
      application: endpoint.connect ? store.clientId : null,
      created: Math.floor(Date.now() / 1000),
      description: null,
      enabled_events: enabledEvents,
      livemode: store.livemode,
      metadata: {},
      secret: endpoint.secret,
      status: 'enabled',
      url,
    })
  })
}
