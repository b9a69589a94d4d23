import type { Purchase } from '../fake.ts'

/** A hosted checkout. A payment is named after the checkout that it was made in. */
export type Checkout = {
  id: string
  status: 'open' | 'complete'
  /** The shop's own customer. */
  reference: string
  purchase: Purchase & { priceCents: number; currency: string; product: string }
  successUrl: string
  cancelUrl: string
}

export const createCheckouts = () => {
  const checkouts = new Map<string, Checkout>()
  return {
    find: (id: string) => checkouts.get(id),
    open: (body: unknown): Checkout | null => {
      const read = readCheckout(body)
      if (read) checkouts.set(read.id, read)
      return read
    },
  }
}

type Body = Partial<Record<string, unknown>>

/** Null if something is missing. */
const readCheckout = (body: unknown): Checkout | null => {
  const { product, priceCents, currency, mode, email, name, reference, metadata, successUrl, cancelUrl } = body as Body
  const texts = [product, currency, email, name, reference, successUrl, cancelUrl]
  if (!texts.every((text) => typeof text === 'string') || !Number.isInteger(priceCents)) return null
  const id = crypto.randomUUID()
  return {
    id,
    status: 'open',
    reference: String(reference),
    successUrl: String(successUrl).replaceAll('{CHECKOUT_ID}', id),
    cancelUrl: String(cancelUrl),
    purchase: {
      mode: mode === 'subscription' ? 'subscription' : 'payment',
      product: String(product),
      priceCents: Number(priceCents),
      currency: String(currency).toUpperCase(),
      email: String(email),
      customerName: String(name),
      customer: String(reference),
      metadata: (metadata ?? {}) as Record<string, string>,
    },
  }
}
