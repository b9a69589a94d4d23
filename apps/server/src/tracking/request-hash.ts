import { createHash } from 'node:crypto'
import type { SaleCall } from './make-sale.ts'

/** Everything the caller said, so that a retry can be told from another sale under a used invoice. */
export const requestHashOf = (said: Omit<SaleCall, 'program'>) => {
  const { invoiceId, customerKey, clickId, amountCents, currency, eventName, subscriptionId, metadata } = said
  const words = [invoiceId, customerKey, clickId, amountCents, currency, eventName, subscriptionId, metadata]
  return createHash('sha256').update(JSON.stringify(words)).digest()
}
