import type { Payment } from '../payment.ts'
import { shapeOf, type WireObject } from '../shapes.ts'

export const customerOf = (payment: Payment): WireObject => ({
  ...shapeOf(payment.generation, 'customer'),
  id: payment.ids.customer,
  livemode: payment.livemode,
  created: payment.at,
  email: payment.email,
  name: payment.customerName,
  currency: null,
  shipping: null,
  invoice_prefix: (payment.ids.customer ?? '').slice(-8).toUpperCase(),
  metadata: {},
})
