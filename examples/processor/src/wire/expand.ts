import { chargeOf } from '../objects/charge.ts'
import { customerOf } from '../objects/customer.ts'
import { invoiceOf } from '../objects/invoice.ts'
import { paymentIntentOf } from '../objects/payment-intent.ts'
import { subscriptionOf } from '../objects/subscription.ts'
import type { Payment } from '../payment.ts'
import type { WireObject } from '../shapes.ts'
import type { Store } from '../store.ts'
import { type Form, textsOf } from './form.ts'

export const currentInvoice = (payment: Payment) => invoiceOf(payment, payment.status === 'paid' ? 'paid' : 'open')

export const currentSubscription = (store: Store, payment: Payment) => {
  const hasEnded = store.endedSubscriptions.has(payment.ids.subscription ?? '')
  return subscriptionOf(payment, hasEnded ? 'canceled' : payment.ids.intent ? 'active' : 'trialing')
}

/** `expand[]=payment_intent` replaces an ID with its object, one level deep. */
export const expanded = (store: Store, payment: Payment, object: WireObject, form: Form): WireObject => {
  const objects: Record<string, () => WireObject> = {
    payment_intent: () => paymentIntentOf(payment),
    latest_charge: () => chargeOf(payment),
    charge: () => chargeOf(payment),
    customer: () => customerOf(payment),
    invoice: () => currentInvoice(payment),
    latest_invoice: () => currentInvoice(payment),
    subscription: () => currentSubscription(store, payment),
  }
  const names = textsOf(form, 'expand').filter((name) => typeof object[name] === 'string' && objects[name])
  return { ...object, ...Object.fromEntries(names.map((name) => [name, objects[name]?.()])) }
}
