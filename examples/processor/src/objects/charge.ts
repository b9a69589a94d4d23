import { idFrom } from '../ids.ts'
import { type Payment, totalCents } from '../payment.ts'
import { shapeOf, type WireObject } from '../shapes.ts'

export const chargeOf = (payment: Payment): WireObject => {
  const { ids, status } = payment
  const shape = shapeOf(payment.generation, 'charge')
  const amount = totalCents(payment)
  const isPaid = status === 'paid'
  return {
    ...shape,
    id: ids.charge,
    livemode: payment.livemode,
    created: payment.at,
    amount,
    amount_captured: isPaid ? amount : 0,
    amount_refunded: payment.refundedCents,
    refunded: isPaid && payment.refundedCents >= amount,
    disputed: payment.disputed,
    captured: status !== 'failed',
    paid: isPaid,
    status: isPaid ? 'succeeded' : status === 'failed' ? 'failed' : 'pending',
    currency: payment.currency,
    customer: ids.customer,
    payment_intent: ids.intent,
    payment_method: idFrom('pm', ids.charge ?? ''),
    payment_method_details: payment.method === 'card' ? shape.payment_method_details : bankDebit(),
    balance_transaction: isPaid ? idFrom('txn', ids.charge ?? '') : null,
    billing_details: { ...(shape.billing_details as WireObject), email: payment.email, name: payment.customerName },
    description: null,
    failure_code: status === 'failed' ? 'insufficient_funds' : null,
    failure_message: status === 'failed' ? 'The customer’s bank account has insufficient funds.' : null,
    // Stripe copies the metadata of the intent to the charge.
    metadata: payment.metadata.intent,
    ...(payment.generation === 2024 && { invoice: ids.invoice }),
  }
}

const bankDebit = () => ({
  type: 'us_bank_account',
  us_bank_account: {
    account_holder_type: 'individual',
    account_type: 'checking',
    bank_name: 'STRIPE TEST BANK',
    fingerprint: 'FFDMA0xfhBjWSZLu',
    last4: '6789',
    routing_number: '110000000',
  },
})
