import type { Endpoint } from './deliveries.ts'
import type { ProcessorEvent } from './event.ts'
import type { Account } from './objects/account.ts'
import type { Dispute } from './objects/dispute.ts'
import type { Refund } from './objects/refund.ts'
import type { Generation, Payment, PaymentIds } from './payment.ts'
import { noSuch } from './processor-error.ts'

/** All that the stand-in remembers, for as long as it runs. */
export type Books = {
  generation: Generation
  livemode: boolean
  /** What tax is added where a checkout asks for automatic tax. */
  taxBps: number
  clientId: string
  accounts: Map<string, Account>
  endpoints: Endpoint[]
  /** By the payment's own identifier, oldest first. */
  payments: Map<string, Payment>
  refunds: Map<string, Refund & { paymentId: string }>
  disputes: Map<string, Dispute & { paymentId: string }>
  endedSubscriptions: Set<string>
  /** Oldest first. */
  events: { account: string; event: ProcessorEvent }[]
  authorizationCodes: Map<string, { account: string; scope: string }>
}

export const paymentIdOf = ({ ids }: Payment) => ids.session ?? ids.invoice ?? ids.intent ?? ''

/** By any identifier of any of its objects. A subscription or customer leads to their latest payment. */
export const findPayment = (books: Books, account: string, id: string): Payment | undefined =>
  [...books.payments.values()]
    .reverse()
    .find((payment) => payment.account === account && Object.values(payment.ids).includes(id))

export const requirePayment = (books: Books, account: string, id: string, kind = 'payment'): Payment => {
  const payment = findPayment(books, account, id)
  if (!payment) throw noSuch(kind, id)
  return payment
}

/** The payment whose object of that kind it is: an invoice's number is no session's number. */
export const requireObject = (books: Books, account: string, kind: keyof PaymentIds, id: string): Payment => {
  const payment = findPayment(books, account, id)
  if (payment?.ids[kind] !== id) throw noSuch(kind, id)
  return payment
}

export const keepPayment = (books: Books, payment: Payment) => {
  books.payments.set(paymentIdOf(payment), payment)
  return payment
}
