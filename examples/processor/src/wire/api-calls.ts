import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { randomId } from '../ids.ts'
import { ProcessorError } from '../processor-error.ts'
import type { App, Dependencies, Env } from './context.ts'
import { readForm } from './form.ts'

/** Shared handling of API calls: authentication, account, form parsing, idempotency and errors. */
export const apiCalls = (app: App, { store }: Dependencies) => {
  const responses = new Map<string, { status: ContentfulStatusCode; body: string }>()

  app.use('/v1/*', async (c, next) => {
    c.header('request-id', randomId('req'))
    c.set('account', resolveAccount(c, store))
    const isRead = c.req.method === 'GET' || c.req.method === 'DELETE'
    c.set('form', readForm(isRead ? new URL(c.req.url).search : await c.req.text()))
    const idempotencyKey = c.req.header('idempotency-key')
    if (c.req.method !== 'POST' || !idempotencyKey) return next()
    const key = `${c.get('account')} ${c.req.path} ${idempotencyKey}`
    const before = responses.get(key)
    if (before)
      return c.body(before.body, before.status, { 'content-type': 'application/json', 'idempotent-replayed': 'true' })
    await next()
    responses.set(key, { status: c.res.status as ContentfulStatusCode, body: await c.res.clone().text() })
  })

  app.onError((error, c) => {
    if (!(error instanceof ProcessorError)) throw error
    const { status, message, detail } = error
    return c.json(
      { error: { type: status === 401 ? 'authentication_error' : 'invalid_request_error', message, ...detail } },
      status,
    )
  })
}

const resolveAccount = (c: Context<Env>, store: Dependencies['store']) => {
  const key = keyOf(c)
  const caller = [...store.accounts.values()].find(({ secretKey }) => secretKey === key)
  if (!caller) throw new ProcessorError(401, key ? 'Invalid API Key provided.' : 'You did not provide an API key.')
  const named = c.req.header('stripe-account') ?? c.req.header('stripe-context')
  if (!named || named === caller.id) return caller.id
  if (!store.accounts.get(named)?.connectedTo.has(store.clientId))
    throw new ProcessorError(
      403,
      `The provided key does not have access to account '${named}' (or that account does not exist).`,
      {
        code: 'account_invalid',
      },
    )
  return named
}

/** Accepts `Bearer`, and Basic with the key as user name as in Stripe's `curl -u` examples. */
export const keyOf = (c: Context<Env>) => {
  const [scheme = '', value = ''] = (c.req.header('authorization') ?? '').split(' ')
  return scheme.toLowerCase() === 'basic' ? (atob(value).split(':')[0] ?? '') : value
}
