import { readAddress, readCredential } from '../../config/read-values.ts'

const KEY = /^[rs]k_\w+$/
const PLACE = { label: 'Stripe', place: 'the Stripe dashboard' }

/** The platform account, for operators who connect merchants through OAuth. Merchants who add their own webhook need none. */
export const readStripe = (env: Record<string, string | undefined>) => ({
  secretKey: readCredential(env, 'STRIPE_SECRET_KEY', { shape: KEY, ...PLACE }),
  clientId: readCredential(env, 'STRIPE_CLIENT_ID', { shape: /^ca_\w+$/, ...PLACE }),
  webhookSecret: readCredential(env, 'STRIPE_WEBHOOK_SECRET', { shape: /^whsec_\S+$/, ...PLACE }),
  /** A merchant's own key, used only by processor:reconcile and never stored. */
  apiKey: readCredential(env, 'STRIPE_API_KEY', { shape: KEY, ...PLACE }),
  apiBase: readAddress('STRIPE_API_BASE', env.STRIPE_API_BASE || 'https://api.stripe.com'),
  connectBase: readAddress('STRIPE_CONNECT_BASE', env.STRIPE_CONNECT_BASE || 'https://connect.stripe.com'),
})
export type StripeSettings = ReturnType<typeof readStripe>

/** Those that contain a secret. */
export const STRIPE_SECRETS = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_KEY'] as const
