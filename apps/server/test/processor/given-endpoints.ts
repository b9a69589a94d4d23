import { afterAll } from 'bun:test'
import { stripeId } from './stripe-events.ts'

type Endpoint = { id: string; url: string; enabled_events: string[]; secret: string; metadata: Record<string, string> }

/** How Stripe's API behaves. `lost`: it does what it is asked to, but the answer never arrives. */
type Mood = 'works' | 'lost' | number

const ERRORS: Record<number, object> = {
  401: { type: 'invalid_request_error', message: 'Invalid API Key provided.' },
  403: { type: 'invalid_request_error', message: 'The provided key does not have the required permissions.' },
  429: { type: 'rate_limit_error', message: 'Too many requests.' },
  500: { type: 'api_error', message: 'An error occurred.' },
}

/** Stripe's API of webhook endpoints, on a real socket. Written from its reference. */
export const startEndpointsApi = () => {
  const endpoints = new Map<string, Endpoint>()
  const keys: (string | null)[] = []
  let mood: Mood = 'works'
  let only: string | null = null

  const create = (form: URLSearchParams) => {
    const one = {
      id: stripeId('we'),
      url: form.get('url') ?? '',
      enabled_events: listIn(form),
      secret: `whsec_${stripeId('made')}`,
      metadata: Object.fromEntries([...form].flatMap(([name, value]) => metadataIn(name, value))),
    }
    endpoints.set(one.id, one)
    return { object: 'webhook_endpoint', livemode: true, status: 'enabled', ...one }
  }
  const withoutSecret = ({ secret: _, ...one }: Endpoint) => ({ object: 'webhook_endpoint', ...one })

  const answer = (method: string, id: string | undefined, form: URLSearchParams) => {
    if (!id && method === 'POST') return Response.json(create(form))
    if (!id) return Response.json({ object: 'list', has_more: false, data: [...endpoints.values()].map(withoutSecret) })
    const one = endpoints.get(id)
    if (!one)
      return Response.json({ error: { type: 'invalid_request_error', code: 'resource_missing' } }, { status: 404 })
    if (method === 'DELETE') {
      endpoints.delete(id)
      return Response.json({ id, object: 'webhook_endpoint', deleted: true })
    }
    Object.assign(one, { url: form.get('url') ?? one.url, enabled_events: listIn(form) })
    return Response.json(withoutSecret(one))
  }

  const server = Bun.serve({
    port: 0,
    idleTimeout: 60,
    fetch: async (request) => {
      const [, , resource, id] = new URL(request.url).pathname.split('/')
      const form = new URLSearchParams(await request.text())
      keys.push(request.headers.get('authorization'))
      if (resource !== 'webhook_endpoints') return new Response(null, { status: 404 })
      const now = only === null || only === request.method ? mood : 'works'
      if (typeof now === 'number') return Response.json({ error: ERRORS[now] }, { status: now })
      const done = answer(request.method, id, form)
      // A body shorter than announced: the connection closes in the middle of the answer.
      return now === 'works' ? done : new Response('{', { headers: { 'content-length': '100' } })
    },
  })
  afterAll(() => server.stop(true))
  return {
    url: `http://localhost:${server.port}`,
    endpoints,
    keys,
    /** Applies to all calls, or to those with this method. */
    become: (next: Mood, method: string | null = null) => {
      mood = next
      only = method
    },
    stop: () => server.stop(true),
  }
}

const listIn = (form: URLSearchParams) =>
  [...form].flatMap(([name, value]) => (name.startsWith('enabled_events[') ? [value] : []))

const metadataIn = (name: string, value: string) => {
  const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
  return key ? [[key, value] as const] : []
}
