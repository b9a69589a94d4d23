import { callApi } from '../call-api.ts'
import { oauthPlatform } from '../oauth-platform.ts'
import { type Fields, idOf } from '../translating/fields.ts'
import type { Translate } from '../translation.ts'
import type { StripeSettings } from './settings.ts'

const flagsIn = (account: Fields) => ({
  chargesEnabled: account.charges_enabled === true,
  payoutsEnabled: account.payouts_enabled === true,
  detailsSubmitted: account.details_submitted === true,
})

/** account.updated: what the merchant's account can do. */
export const accountUpdated: Translate = ({ object: account, accountId }) => ({
  account: { accountId: accountId ?? idOf(account), flags: flagsIn(account) },
})

/** account.application.deauthorized: the merchant revoked the platform's access. */
export const accountDeauthorized: Translate = () => ({ deauthorized: true })

/** The service never writes, so the merchant grants read access. */
export const platformWith = ({ connectBase, apiBase, ...credentials }: StripeSettings) =>
  oauthPlatform({
    label: 'Stripe',
    base: connectBase,
    scope: 'read_only',
    credentials,
    variables: {
      secretKey: 'STRIPE_SECRET_KEY',
      clientId: 'STRIPE_CLIENT_ID',
      webhookSecret: 'STRIPE_WEBHOOK_SECRET',
    },
    accountField: 'stripe_user_id',
    flagsOf: async (key, accountId) =>
      flagsIn(await callApi(`${apiBase}/v1/accounts/${accountId}`, { label: 'Stripe', key, permission: '' })),
  })
