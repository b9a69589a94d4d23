import { clickReferenceIn, valuesOfProtocols } from '../translating/click-reference.ts'
import { idOf, read } from '../translating/fields.ts'
import { customerReport } from '../translating/reports.ts'
import type { IncomingEvent, Translate } from '../translation.ts'
import { namedIn } from './attribution.ts'

/**
 * Payment Links, buy buttons and pricing tables have no metadata for each buyer, but a field of the session. The customer of an intent or a
 * charge is not read: it would credit the payment once more, until another event ties it to its invoice.
 */
const payerOf = ({ type, object }: IncomingEvent) => {
  const isSession = type.startsWith('checkout.session.')
  return {
    customerId: isSession || type.startsWith('invoice.') ? idOf(object.customer) : null,
    ...(isSession && clickReferenceIn(object.client_reference_id, ...valuesOfProtocols(object.metadata))),
  }
}

/** Adds the payer to what an event says of a payment: Stripe's customer, and a `click_id` outside our metadata. */
export const withPayer =
  (translate: Translate): Translate =>
  (event) => {
    const translation = translate(event)
    if ('ignored' in translation && translation.ignored === 'nothing_paid') return freeOfCharge(event)
    if (!('report' in translation)) return translation
    const { report } = translation
    const { customerId, ...reference } = payerOf(event)
    const isPayment = report.says.kind === 'paid' || report.says.kind === 'pending'
    return isPayment
      ? { ...translation, report: { ...report, ...(customerId && { customerId }), ...reference } }
      : translation
  }

/** A trial or a full discount: the session or the subscription's invoice names the customer of later payments. */
const freeOfCharge = (event: IncomingEvent) => {
  const { object, createdAt: at } = event
  const attribution = namedIn(read(object, 'parent', 'subscription_details', 'metadata'), object.metadata)
  const { customerId, ...reference } = payerOf(event)
  const isNamed = attribution !== null || 'clickReference' in reference
  return customerReport({ customerId: isNamed ? customerId : null, attribution, at, ...reference })
}
