import Stripe from 'stripe'
import { Refusal } from '../../refusal.ts'
import type { ConnectedAccount, Platform } from '../port.ts'
import { idOf } from '../translating/fields.ts'
import { createStripeClient } from './client.ts'
import type { StripeSettings } from './settings.ts'

/** Only an operator with a platform account can connect merchants; the message names the missing settings and the alternative. */
const platformOf = ({ secretKey, clientId, webhookSecret, apiBase, connectBase }: StripeSettings) => {
  const missing = Object.entries({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_CLIENT_ID: clientId,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  }).flatMap(([name, value]) => (value ? [] : [name]))
  if (!secretKey || !clientId || missing.length > 0)
    throw new Refusal(
      'conflict',
      `This instance has no platform account. Set ${missing.join(', ')}, or connect your own account with its signing secret.`,
    )
  return { clientId, api: createStripeClient(secretKey, apiBase), connect: createStripeClient(secretKey, connectBase) }
}

/** The page where the merchant grants read access. The service never writes. */
const authorizeAddress = (settings: StripeSettings, { state, redirectUri }: { state: string; redirectUri: string }) => {
  const { clientId, connect } = platformOf(settings)
  const params = { client_id: clientId, scope: 'read_only', state, redirect_uri: redirectUri }
  const url = new URL(connect.oauth.authorizeUrl(params))
  return new URL(`${url.pathname}${url.search}`, settings.connectBase).href
}

/** Exchanges the authorization code for the account. */
const connectedAccount = async (settings: StripeSettings, code: string): Promise<ConnectedAccount> => {
  const { api, connect } = platformOf(settings)
  const token = await connect.oauth.token({ grant_type: 'authorization_code', code }).catch(refuse)
  const accountId = idOf(token.stripe_user_id)
  if (!accountId)
    throw new Refusal('unavailable', 'Stripe returned no account. Start again.', {
      reason: 'payment_processor',
      retryAfterSeconds: 5,
    })
  // Optional: the first account.updated event provides it otherwise.
  const account = await api.accounts.retrieve(accountId).catch(() => null)
  const flags = account && {
    chargesEnabled: account.charges_enabled,
    payoutsEnabled: account.payouts_enabled,
    detailsSubmitted: account.details_submitted,
  }
  return { accountId, livemode: token.livemode === true, flags }
}

const deauthorize = async (settings: StripeSettings, accountId: string) => {
  const { clientId, connect } = platformOf(settings)
  await connect.oauth.deauthorize({ client_id: clientId, stripe_user_id: accountId })
}

const refuse = (error: unknown): never => {
  if (error instanceof Stripe.errors.StripeInvalidGrantError)
    throw new Refusal(
      'invalid_request',
      'The authorization code from Stripe has expired or was already used. Start again.',
    )
  if (error instanceof Stripe.errors.StripeError)
    throw new Refusal('unavailable', 'Cannot reach Stripe right now. Try again shortly.', {
      reason: 'payment_processor',
      retryAfterSeconds: 5,
    })
  throw error
}

/** Merchants connect through the operator's platform account. */
export const platformWith = (settings: StripeSettings): Platform => ({
  isConfigured: Boolean(settings.secretKey && settings.clientId && settings.webhookSecret),
  webhookSecret: settings.webhookSecret,
  authorizeAddress: (params) => authorizeAddress(settings, params),
  connectedAccount: (code) => connectedAccount(settings, code),
  deauthorize: (accountId) => deauthorize(settings, accountId),
})
