import Stripe from 'stripe'
import type { StripeSettings } from '../../config/stripe.ts'
import { Refusal } from '../../refusal.ts'
import type { AccountFlags } from '../translation.ts'
import { stripeAt } from './client.ts'
import { idOf } from './reading.ts'

export type ConnectedAccount = { accountId: string; livemode: boolean; flags: AccountFlags | null }

/** Only an operator with a platform account can connect others. Whoever lacks it is told what to set, and what else there is. */
const platformOf = ({ secretKey, clientId, webhookSecret, apiBase, connectBase }: StripeSettings) => {
  const missing = Object.entries({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_CLIENT_ID: clientId,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  }).flatMap(([name, value]) => (value ? [] : [name]))
  if (!secretKey || !clientId || missing.length > 0)
    throw new Refusal(
      'conflict',
      `This instance has no platform account: set ${missing.join(', ')}. Or connect your own account with its signing secret.`,
    )
  return { clientId, api: stripeAt(secretKey, apiBase), connect: stripeAt(secretKey, connectBase) }
}

/** Where the merchant allows the platform to read. Nothing here ever has to write. */
export const authorizeAddress = (settings: StripeSettings, { state, redirectUri }: Record<string, string>) => {
  const { clientId, connect } = platformOf(settings)
  const params = { client_id: clientId, scope: 'read_only', state, redirect_uri: redirectUri }
  const url = new URL(connect.oauth.authorizeUrl(params))
  return new URL(`${url.pathname}${url.search}`, settings.connectBase).href
}

/** Exchanges the code that the merchant came back with for the account. */
export const connectedAccount = async (settings: StripeSettings, code: string): Promise<ConnectedAccount> => {
  const { api, connect } = platformOf(settings)
  const token = await connect.oauth.token({ grant_type: 'authorization_code', code }).catch(refuse)
  const accountId = idOf(token.stripe_user_id)
  if (!accountId) throw new Refusal('unavailable', 'Stripe named no account. Begin again.', { retryAfterSeconds: 5 })
  // Without it the first account.updated tells.
  const account = await api.accounts.retrieve(accountId).catch(() => null)
  const flags = account && {
    chargesEnabled: account.charges_enabled,
    payoutsEnabled: account.payouts_enabled,
    detailsSubmitted: account.details_submitted,
  }
  return { accountId, livemode: token.livemode === true, flags }
}

export const deauthorize = async (settings: StripeSettings, accountId: string) => {
  const { clientId, connect } = platformOf(settings)
  await connect.oauth.deauthorize({ client_id: clientId, stripe_user_id: accountId })
}

const refuse = (error: unknown): never => {
  if (error instanceof Stripe.errors.StripeInvalidGrantError)
    throw new Refusal('invalid_request', 'The code from Stripe was used before or is too old. Begin again.')
  if (error instanceof Stripe.errors.StripeError)
    throw new Refusal('unavailable', 'Stripe cannot be reached just now. Begin again shortly.', {
      retryAfterSeconds: 5,
    })
  throw error
}
