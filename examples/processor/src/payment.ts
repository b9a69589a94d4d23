import { idFrom } from './ids.ts'

/** Stripe changed invoices and subscriptions in 2025. Each account uses one generation of the API. */
export type Generation = 2024 | 2026
export const API_VERSIONS: Record<Generation, string> = { 2024: '2024-06-20', 2026: '2026-10-28.endive' }

export type Metadata = Record<string, string>

/**
 * One payment and everything that belongs to it. Every object (session, intent, charge, invoice, subscription …) is built
 * from this record, so they cannot contradict each other.
 */
export type Payment = {
  generation: Generation
  livemode: boolean
  /** The account that is paid. */
  account: string
  /** Seconds since 1970, as on the wire. */
  at: number
  kind: 'checkout' | 'renewal' | 'bare_intent'
  mode: 'payment' | 'subscription' | 'setup'
  status: 'open' | 'expired' | 'processing' | 'paid' | 'failed'
  method: 'card' | 'us_bank_account'
  currency: string
  subtotalCents: number
  taxCents: number
  refundedCents: number
  disputed: boolean
  product: string
  quantity: number
  customerName: string | null
  email: string | null
  clientReference: string | null
  successUrl: string | null
  cancelUrl: string | null
  checkoutUrl: string | null
  /** Metadata on the session, the intent and the subscription. */
  metadata: { session: Metadata; intent: Metadata; subscription: Metadata }
  ids: PaymentIds
}

/** Null if this kind of payment has no such object. */
export type PaymentIds = {
  session: string | null
  intent: string | null
  charge: string | null
  invoice: string | null
  invoicePayment: string | null
  subscription: string | null
  setupIntent: string | null
  customer: string | null
}

export type PaymentOptions = Partial<Omit<Payment, 'ids' | 'metadata'>> & {
  /** All IDs are derived from this name. */
  name: string
  metadata?: Partial<Payment['metadata']>
  ids?: Partial<PaymentIds>
}

export const totalCents = ({ subtotalCents, taxCents }: Payment) => subtotalCents + taxCents

/** A payment with the given options and defaults for the rest. */
export const newPayment = ({ name, metadata, ids, ...options }: PaymentOptions): Payment => {
  const payment = {
    generation: 2026,
    livemode: true,
    account: 'acct_1Processor',
    at: Math.floor(Date.now() / 1000),
    kind: 'checkout',
    mode: 'payment',
    status: 'paid',
    method: 'card',
    currency: 'usd',
    subtotalCents: 4900,
    taxCents: 0,
    refundedCents: 0,
    disputed: false,
    product: 'Product',
    quantity: 1,
    customerName: null,
    email: 'customer@example.com',
    clientReference: null,
    successUrl: null,
    cancelUrl: null,
    checkoutUrl: null,
    ...options,
  } satisfies Omit<Payment, 'ids' | 'metadata'>
  return {
    ...payment,
    metadata: { session: {}, intent: {}, subscription: {}, ...metadata },
    ids: { ...idsOf(name, payment), ...ids },
  }
}

type Kind = Pick<Payment, 'kind' | 'mode' | 'livemode' | 'subtotalCents' | 'taxCents'>

const idsOf = (name: string, { kind, mode, livemode, subtotalCents, taxCents }: Kind): PaymentIds => {
  const when = (exists: boolean, prefix: string) => (exists ? idFrom(prefix, name) : null)
  // A free trial has a subscription and a zero invoice, but no payment.
  const hasPayment = mode !== 'setup' && subtotalCents + taxCents > 0
  const isSubscription = mode === 'subscription'
  return {
    session: when(kind === 'checkout', livemode ? 'cs_live' : 'cs_test'),
    intent: when(hasPayment, 'pi'),
    charge: when(hasPayment, 'ch'),
    invoice: when(isSubscription, 'in'),
    invoicePayment: when(isSubscription && hasPayment, 'inpay'),
    subscription: when(isSubscription, 'sub'),
    setupIntent: when(mode === 'setup', 'seti'),
    customer: when(isSubscription || mode === 'setup', 'cus'),
  }
}

/** The next payment of the same subscription. */
export const renewalOf = (payment: Payment, { name, ...options }: PaymentOptions): Payment =>
  newPayment({
    ...payment,
    kind: 'renewal',
    status: 'paid',
    refundedCents: 0,
    disputed: false,
    successUrl: null,
    cancelUrl: null,
    checkoutUrl: null,
    ...options,
    name,
    metadata: { session: {}, intent: {}, subscription: payment.metadata.subscription },
    ids: { subscription: payment.ids.subscription, customer: payment.ids.customer, ...options.ids },
  })
