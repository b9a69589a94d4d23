import type { Context } from 'hono'
import { randomId } from '../ids.ts'
import type { Account } from '../objects/account.ts'
import { consentPage } from '../pages/consent.ts'
import { keyOf } from './api-calls.ts'
import type { App, Dependencies, Env } from './context.ts'
import { type Form, readForm, text } from './form.ts'

/** OAuth for platforms: the merchant consents, and the platform exchanges the code for account access. */
export const oauth = (app: App, { store, publisher }: Dependencies) => {
  app.get('/oauth/authorize', (c) => {
    const request = readAuthorizationRequest(new URL(c.req.url).searchParams)
    if (request.clientId !== store.clientId || !request.redirectUri)
      return c.html('<p>Unknown client or missing redirect_uri.</p>', 400)
    return c.html(consentPage({ accounts: [...store.accounts.values()], ...request }))
  })

  app.post('/oauth/authorize', async (c) => {
    const form = readForm(await c.req.text())
    const redirectUri = webAddress(text(form, 'redirect_uri'))
    if (!redirectUri) return c.html('<p>Missing redirect_uri.</p>', 400)
    const redirect = new URL(redirectUri)
    const state = text(form, 'state')
    const account = store.accounts.get(text(form, 'account') ?? '')
    const scope = text(form, 'scope') ?? 'read_write'
    const answer: Record<string, string> = {}
    if (text(form, 'answer') === 'connect' && account) {
      const code = randomId('ac')
      store.authorizationCodes.set(code, { account: account.id, scope })
      Object.assign(answer, { scope, code })
    } else Object.assign(answer, { error: 'access_denied', error_description: 'The user denied your request' })
    for (const [name, value] of Object.entries({ ...answer, ...(state && { state }) }))
      redirect.searchParams.set(name, value)
    return c.redirect(redirect.href, 302)
  })

  app.post('/oauth/token', async (c) => {
    const form = readForm(await c.req.text())
    if (!isPlatform(c, form)) return oauthError(c, 401, 'invalid_client', 'Invalid API Key provided.')
    if (text(form, 'grant_type') !== 'authorization_code')
      return oauthError(c, 400, 'unsupported_grant_type', 'Only authorization_code is supported.')
    const code = text(form, 'code') ?? ''
    const granted = store.authorizationCodes.get(code)
    const account = granted && store.accounts.get(granted.account)
    if (!account) return oauthError(c, 400, 'invalid_grant', `Authorization code does not exist: ${code}`)
    store.authorizationCodes.delete(code) // single use
    account.connectedTo.add(store.clientId)
    return c.json({
      access_token: account.secretKey,
      livemode: store.livemode,
      refresh_token: randomId('rt'),
      token_type: 'bearer',
      stripe_publishable_key: randomId('pk'),
      stripe_user_id: account.id,
      scope: granted.scope,
    })
  })

  app.post('/oauth/deauthorize', async (c) => {
    const form = readForm(await c.req.text())
    const account = store.accounts.get(text(form, 'stripe_user_id') ?? '')
    if (!isPlatform(c, form) || text(form, 'client_id') !== store.clientId || !account?.connectedTo.has(store.clientId))
      return oauthError(
        c,
        401,
        'invalid_client',
        `This application is not connected to stripe account ${account?.id ?? ''}.`,
      )
    disconnect(account)
    return c.json({ stripe_user_id: account.id })
  })

  const disconnect = (account: Account) => {
    publisher.deauthorized(account)
    account.connectedTo.delete(store.clientId)
  }

  /** The platform's secret key may be a header or a form field. */
  const isPlatform = (c: Context<Env>, form: Form) => {
    const key = text(form, 'client_secret') ?? keyOf(c)
    return [...store.accounts.values()].some(({ secretKey }) => secretKey === key)
  }
}

const readAuthorizationRequest = (query: URLSearchParams) => ({
  clientId: query.get('client_id') ?? '',
  redirectUri: webAddress(query.get('redirect_uri')),
  state: query.get('state') ?? '',
  scope: query.get('scope') ?? 'read_write',
})

const webAddress = (value: string | null) => (value && /^https?:$/.test(URL.parse(value)?.protocol ?? '') ? value : '')

const oauthError = (c: Context<Env>, status: 400 | 401, error: string, description: string) =>
  c.json({ error, error_description: description }, status)
