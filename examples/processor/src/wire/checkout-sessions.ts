import { checkoutSessionOf } from '../objects/checkout-session.ts'
import type { Payment } from '../payment.ts'
import { ProcessorError } from '../processor-error.ts'
import { requireObject } from '../store.ts'
import type { App, Dependencies } from './context.ts'
import { expanded } from './expand.ts'
import { type Form, pairsOf, part, partsOf, text } from './form.ts'

export const checkoutSessions = (app: App, { store, actions, baseUrl }: Dependencies) => {
  app.post('/v1/checkout/sessions', (c) => {
    const form = c.get('form')
    const options = readCheckout(form, store.taxBps)
    const payment = actions.openCheckout(c.get('account'), options, (id) => `${baseUrl()}/pay/${id}`)
    return c.json(expanded(store, payment, checkoutSessionOf(payment), form))
  })

  app.get('/v1/checkout/sessions/:id', (c) => {
    const payment = requireObject(store, c.get('account'), 'session', c.req.param('id'))
    return c.json(expanded(store, payment, checkoutSessionOf(payment), c.get('form')))
  })
}

const readCheckout = (form: Form, taxBps: number) => {
  const mode = readMode(form)
  const successUrl = text(form, 'success_url')
  if (!successUrl) throw missing('success_url')
  rejectWrongMode(form, mode)
  const subscription = part(form, 'subscription_data')
  const hasTrial = mode === 'subscription' && text(subscription, 'trial_period_days') !== null
  const { subtotalCents, ...items } = mode === 'setup' ? noItems() : readItems(form, mode)
  const paysTax = text(part(form, 'automatic_tax'), 'enabled') === 'true'
  return {
    mode,
    ...items,
    subtotalCents: hasTrial ? 0 : subtotalCents,
    taxCents: paysTax && !hasTrial ? Math.round((subtotalCents * taxBps) / 10_000) : 0,
    email: text(form, 'customer_email'),
    clientReference: text(form, 'client_reference_id'),
    successUrl,
    cancelUrl: text(form, 'cancel_url'),
    metadata: {
      session: pairsOf(form, 'metadata'),
      intent: pairsOf(part(form, 'payment_intent_data'), 'metadata'),
      subscription: pairsOf(subscription, 'metadata'),
    },
  }
}

const readMode = (form: Form): Payment['mode'] => {
  const mode = text(form, 'mode')
  if (mode === 'payment' || mode === 'subscription' || mode === 'setup') return mode
  throw mode
    ? new ProcessorError(400, `Invalid mode: must be one of payment, setup, or subscription`, { param: 'mode' })
    : missing('mode')
}

/** Stripe rejects these too. */
const rejectWrongMode = (form: Form, mode: Payment['mode']) => {
  for (const [name, allowed] of [
    ['subscription_data', 'subscription'],
    ['payment_intent_data', 'payment'],
  ] as const)
    if (part(form, name) && mode !== allowed)
      throw new ProcessorError(400, `You can not pass \`${name}\` in \`${mode}\` mode.`, { param: name })
}

const noItems = () => ({ subtotalCents: 0, currency: 'usd', product: 'Nothing', quantity: 1 })

const readItems = (form: Form, mode: Payment['mode']) => {
  const items = partsOf(form, 'line_items')
  if (items.length === 0) throw missing('line_items')
  const read = items.map((item, index) => readItem(item, `line_items[${index}]`))
  if (mode === 'subscription' && !read.some(({ isRecurring }) => isRecurring))
    throw new ProcessorError(
      400,
      'You must provide at least one recurring price in `subscription` mode when using prices.',
      { param: 'line_items' },
    )
  const [first] = read
  return {
    subtotalCents: read.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0),
    currency: first?.currency ?? 'usd',
    product: first?.product ?? '',
    quantity: first?.quantity ?? 1,
  }
}

const readItem = (item: Form, where: string) => {
  const price = part(item, 'price_data')
  if (!price)
    throw new ProcessorError(400, `The fake processor stores no prices: pass ${where}[price_data].`, { param: where })
  const unitCents = Number(text(price, 'unit_amount'))
  if (!Number.isInteger(unitCents) || unitCents < 0)
    throw new ProcessorError(400, 'Invalid integer', { param: `${where}[price_data][unit_amount]` })
  const currency = text(price, 'currency')
  if (!currency) throw missing(`${where}[price_data][currency]`)
  return {
    unitCents,
    currency: currency.toLowerCase(),
    quantity: Number(text(item, 'quantity') ?? 1),
    product: text(part(price, 'product_data'), 'name') ?? 'Product',
    isRecurring: part(price, 'recurring') !== undefined,
  }
}

const missing = (param: string) =>
  new ProcessorError(400, `Missing required param: ${param}.`, { param, code: 'parameter_missing' })
