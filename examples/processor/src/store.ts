import type { Endpoint } from './deliveries.ts'
import type { ProcessorEvent } from './event.ts'
import type { Account } from './objects/account.ts'
import type { Dispute } from './objects/dispute.ts'
import type { Refund } from './objects/refund.ts'
import type { Generation, Payment, PaymentIds } from './payment.ts'
import { noSuch } from './processor-error.ts'

/** Everything the fake processor holds in memory. */
export type Store = {
  generation: Generation
  livemode: boolean
  /** Tax rate for checkouts with automatic tax. */
  taxBps: number
  clientId: string
  accounts: Map<string, Account>
  endpoints: Endpoint[]
  /** By payment ID, oldest first. */
  payments: Map<string, Payment>
  refunds: Map<string, Refund & { paymentId: string }>
  disputes: Map<string, Dispute & { paymentId: string }>
  endedSubscriptions: Set<string>
  /** Oldest first. */
  events: { account: string; event: ProcessorEvent }[]
  authorizationCodes: Map<string, { account: string; scope: string }>
}

export const paymentIdOf = ({ ids }: Payment) => ids.session ?? ids.invoice ?? ids.intent ?? ''

/** Finds a payment by the ID of any of its objects; a subscription or customer gives the latest one. */
export const findPayment = (store: Store, account: string, id: string): Payment | undefined =>
  [...store.payments.values()]
    .reverse()
    .find((payment) => payment.account === account && Object.values(payment.ids).includes(id))

export const requirePayment = (store: Store, account: string, id: string, kind = 'payment'): Payment => {
  const payment = findPayment(store, account, id)
  if (!payment) throw noSuch(kind, id)
  return payment
}

/** Finds a payment by the ID of one kind of object, so that an invoice ID does not match a session. */
export const requireObject = (store: Store, account: string, kind: keyof PaymentIds, id: string): Payment => {
  const payment = findPayment(store, account, id)
  if (payment?.ids[kind] !== id) throw noSuch(kind, id)
  return payment
}

export const savePayment = (store: Store, payment: Payment) => {
  store.payments.set(paymentIdOf(payment), payment)
  return payment
}
