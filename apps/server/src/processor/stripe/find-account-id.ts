import type { StripeSettings } from '../../config/stripe.ts'
import { refuseWithStripeMessage, stripeAt } from './client.ts'

export const findAccountId = async ({ settings, key }: { settings: StripeSettings; key: string }) =>
  (await stripeAt(key, settings.apiBase).accounts.retrieveCurrent().catch(refuseWithStripeMessage)).id
