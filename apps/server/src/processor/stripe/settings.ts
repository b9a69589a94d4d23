import { readAddress } from '../../config/read-values.ts'
import { StartupError } from '../../config/startup-error.ts'

/** The platform account, for operators who connect merchants through OAuth. Merchants who add their own webhook need none. */
export type StripeSettings = {
  secretKey: string | null
  clientId: string | null
  webhookSecret: string | null
  /** A merchant's own key, used only by processor:reconcile and never stored. */
  apiKey: string | null
  apiBase: string
  connectBase: string
}

export const readStripe = (env: Record<string, string | undefined>): StripeSettings => ({
  secretKey: readCredential(env, 'STRIPE_SECRET_KEY', /^[rs]k_\w+$/),
  clientId: readCredential(env, 'STRIPE_CLIENT_ID', /^ca_\w+$/),
  webhookSecret: readCredential(env, 'STRIPE_WEBHOOK_SECRET', /^whsec_\S+$/),
  apiKey: readCredential(env, 'STRIPE_API_KEY', /^[rs]k_\w+$/),
  apiBase: readAddress('STRIPE_API_BASE', env.STRIPE_API_BASE || 'https://api.stripe.com'),
  connectBase: readAddress('STRIPE_CONNECT_BASE', env.STRIPE_CONNECT_BASE || 'https://connect.stripe.com'),
})

/** Those that contain a secret. */
export const STRIPE_SECRETS = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_KEY'] as const

/** The message omits the value, which may be a secret in the wrong variable. */
const readCredential = (env: Record<string, string | undefined>, name: string, shape: RegExp) => {
  const value = env[name]
  if (!value) return null
  if (!shape.test(value) || /change.?me|placeholder|x{6}/i.test(value))
    throw new StartupError(`${name} is not a valid Stripe value. Copy it from the Stripe dashboard.`)
  return value
}
