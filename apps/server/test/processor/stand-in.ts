import { afterAll } from 'bun:test'
import type { TestEvent } from './stripe-events.ts'

type Seen = { method: string; path: string; headers: Headers; form: URLSearchParams }

/** The part of Stripe's API that the client uses here, on a real socket: OAuth, accounts and the list of events. */
export const startStandIn = () => {
  const seen: Seen[] = []
  const codes = new Map<string, { account: string; livemode: boolean }>()
  const accounts = new Map<string, object>()
  let events: TestEvent[] = []
  let failure: number | null = null

  const refuse = (status: number, error: object) => Response.json(error, { status })

  const token = (code: string) => {
    const granted = codes.get(code)
    codes.delete(code)
    if (!granted) return refuse(400, { error: 'invalid_grant', error_description: 'This code was used before.' })
    return Response.json({
      access_token: 'sk_of_the_merchant',
      livemode: granted.livemode,
      scope: 'read_only',
      stripe_user_id: granted.account,
      token_type: 'bearer',
    })
  }

  /** Newest first, a page at a time, as the API lists them. */
  const list = (query: URLSearchParams) => {
    const since = Number(query.get('created[gte]') ?? 0)
    const all = events.filter(({ created }) => created >= since).toSorted((a, b) => b.created - a.created)
    const start = all.findIndex(({ id }) => id === query.get('starting_after')) + 1
    const limit = Number(query.get('limit') ?? 10)
    const data = all.slice(start, start + limit)
    return Response.json({ object: 'list', url: '/v1/events', has_more: start + limit < all.length, data })
  }

  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      const form = new URLSearchParams(await request.text())
      seen.push({ method: request.method, path: pathname, headers: request.headers, form })
      if (failure !== null) return refuse(failure, { error: { message: 'Not now.' } })
      if (!request.headers.get('authorization')?.startsWith('Bearer '))
        return refuse(401, { error: { type: 'invalid_request_error', message: 'You did not provide an API key.' } })
      if (request.headers.get('authorization') === 'Bearer sk_wrong')
        return refuse(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } })
      if (pathname === '/oauth/token') return token(form.get('code') ?? '')
      if (pathname === '/oauth/deauthorize') return Response.json({ stripe_user_id: form.get('stripe_user_id') })
      if (pathname === '/v1/checkout/sessions') return Response.json({ id: 'cs_1', object: 'checkout.session' })
      if (pathname === '/v1/payment_intents') return Response.json({ id: 'pi_1', object: 'payment_intent' })
      if (pathname === '/v1/events') return list(searchParams)
      if (pathname === '/v1/account') return Response.json({ id: 'acct_of_the_key', object: 'account' })
      const account = accounts.get(pathname.split('/').at(-1) ?? '')
      return account ? Response.json(account) : refuse(404, { error: { type: 'invalid_request_error' } })
    },
  })
  afterAll(() => server.stop(true))
  return {
    url: `http://localhost:${server.port}`,
    seen,
    /** The merchant agreed: the code that their browser returns with. */
    grant: (code: string, account: string, { livemode = true, charges = true } = {}) => {
      codes.set(code, { account, livemode })
      const flags = { charges_enabled: charges, payouts_enabled: true, details_submitted: true }
      accounts.set(account, { id: account, object: 'account', ...flags })
    },
    /** Answers everything with this status; null ends it. */
    fail: (status: number | null) => {
      failure = status
    },
    hold: (...given: TestEvent[]) => {
      events = given
    },
  }
}
