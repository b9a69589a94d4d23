import { Refusal } from '../refusal.ts'
import { ApiRefusal, callApi } from './call-api.ts'
import type { Platform } from './port.ts'
import { idOf } from './translating/fields.ts'
import type { AccountFlags } from './translation.ts'

type Credentials = { secretKey: string | null; clientId: string | null; webhookSecret: string | null }

type OauthApp = {
  label: string
  /** Of the pages and calls under `/oauth`. */
  base: string
  scope: string
  credentials: Credentials
  /** The variables that set them. */
  variables: Record<keyof Credentials, string>
  /** The field that names the account. */
  accountField: string
  flagsOf(key: string, accountId: string): Promise<AccountFlags>
}

const unavailable = (message: string) =>
  new Refusal('unavailable', message, { reason: 'payment_processor', retryAfterSeconds: 5 })

/** Merchants connect through the operator's account, with OAuth (RFC 6749). */
export const oauthPlatform = (app: OauthApp): Platform => {
  const { label, base, scope, credentials, accountField, flagsOf } = app
  const post = (path: 'token' | 'deauthorize', key: string, form: Record<string, string>) =>
    callApi(`${base}/oauth/${path}`, { label, key, permission: 'access to connected accounts', method: 'POST', form })
  return {
    isConfigured: missingIn(app).length === 0,
    webhookSecret: credentials.webhookSecret,
    authorizeAddress: ({ state, redirectUri }) => {
      const { clientId } = configured(app)
      const params = { response_type: 'code', client_id: clientId, scope, state, redirect_uri: redirectUri }
      return `${base}/oauth/authorize?${new URLSearchParams(params)}`
    },
    connectedAccount: async (code) => {
      const { secretKey } = configured(app)
      const form = { grant_type: 'authorization_code', code }
      const token = await post('token', secretKey, form).catch((error) => refuse(error, label))
      const accountId = idOf(token[accountField])
      if (!accountId) throw unavailable(`${label} returned no account. Start again.`)
      // Optional: the account's first event provides them otherwise.
      const flags = await flagsOf(secretKey, accountId).catch(() => null)
      return { accountId, livemode: token.livemode === true, flags }
    },
    deauthorize: async (accountId) => {
      const { secretKey, clientId } = configured(app)
      await post('deauthorize', secretKey, { client_id: clientId, [accountField]: accountId })
    },
  }
}

const missingIn = ({ credentials, variables }: OauthApp) =>
  (['secretKey', 'clientId', 'webhookSecret'] as const).flatMap((name) => (credentials[name] ? [] : [variables[name]]))

/** Only an operator with a platform account can connect merchants; the message names the missing settings and the alternative. */
const configured = (app: OauthApp) => {
  const { secretKey, clientId } = app.credentials
  const missing = missingIn(app)
  if (secretKey && clientId && missing.length === 0) return { secretKey, clientId }
  throw new Refusal(
    'conflict',
    `This instance has no platform account. Set ${missing.join(', ')}, or connect your own account with its signing secret.`,
  )
}

const refuse = (error: unknown, label: string): never => {
  if (!(error instanceof ApiRefusal)) throw error
  throw error.oauthError === 'invalid_grant'
    ? new Refusal(
        'invalid_request',
        `The authorization code from ${label} has expired or was already used. Start again.`,
      )
    : unavailable(`Cannot reach ${label} right now. Try again shortly.`)
}
