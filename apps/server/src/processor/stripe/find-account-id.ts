import type { StripeSettings } from '../../config/stripe.ts'
import { createStripeClient, refuseWithStripeMessage } from './client.ts'

export const findAccountId = async ({ settings, key }: { settings: StripeSettings; key: string }) =>
  (await createStripeClient(key, settings.apiBase).accounts.retrieveCurrent().catch(refuseWithStripeMessage)).id
