import { amountsOf, NOTHING, refundOf } from './amounts.ts'
import type {
  Delivery,
  DisputeStep,
  FakeOptions,
  Payment,
  Purchase,
  Refund,
  Unsigned,
  Wire,
  WireEvent,
} from './fake.ts'

export type Fake = ReturnType<typeof createFake>

/**
 * A processor's account without its API: what happens there, as signed webhooks. Payments are named by the caller, and every
 * id is derived from those names, so a test always produces the same bodies.
 */
export const createFake = (wire: Wire, { secret, now = Date.now }: FakeOptions) => {
  const payments = new Map<string, Payment>()
  const endedPurchases = new Set<string>()
  let refunds = 0
  let last = 0

  /** At least a second later each time: some processors state no smaller unit. */
  const tick = () => {
    last = Math.max(now(), last + 1000)
    return last
  }

  const sign = (delivery: Unsigned, { secrets = [secret], atSeconds = Math.floor(now() / 1000) } = {}): Delivery => ({
    ...delivery,
    headers: {
      'content-type': 'application/json',
      ...wire.headers(delivery, { secrets, atSeconds }),
    },
  })

  const send = (events: WireEvent[]) =>
    events.map(({ id, type, content }) => sign({ id, type, body: bytesOf(JSON.stringify(content)) }))

  const find = (name: string) => {
    const payment = payments.get(name)
    if (!payment) throw new Error(`There is no payment named ${name}.`)
    return payment
  }

  const findSubscription = (name: string) => {
    const { purchase, mode } = find(name)
    if (mode !== 'subscription') throw new Error(`${name} is not a subscription.`)
    if (endedPurchases.has(purchase)) throw new Error(`The subscription of ${name} has ended.`)
    const latest = [...payments.values()].findLast((payment) => payment.purchase === purchase)
    return latest ?? find(name)
  }

  const save = (payment: Payment) => {
    if (payments.has(payment.name)) throw new Error(`There is already a payment named ${payment.name}.`)
    payments.set(payment.name, payment)
    return payment
  }

  const nextPayment = (latest: Payment, changes: Pick<Payment, 'name' | 'reason' | 'priceCents' | 'amounts'>) =>
    save({
      ...latest,
      discountCents: 0,
      discountCode: null,
      trialDays: null,
      at: tick(),
      refunded: { totalCents: 0, taxCents: 0 },
      ...changes,
    })

  return {
    name: wire.name,
    disputeSteps: wire.disputeSteps,
    disputeStepsOf: (payment: Payment) => (wire.isDisputable?.(payment) === false ? [] : wire.disputeSteps),
    payments: () => [...payments.values()],
    find,
    /** Ids of the payment and of what belongs to it, as the merchant sees them. */
    namesOf: (name: string) => wire.namesOf(find(name)),

    /** A one-time payment, or the first payment or the trial of a subscription. */
    checkout: (name: string, purchase: Purchase = {}) => {
      const complete = { ...DEFAULTS, customer: name, ...purchase }
      const isTrial = complete.trialDays !== null
      const payment = save({
        ...complete,
        name,
        purchase: name,
        reason: 'purchase',
        at: tick(),
        amounts: isTrial ? NOTHING : amountsOf(complete),
        refunded: { totalCents: 0, taxCents: 0 },
      })
      return send(wire.paid(payment, null))
    },

    /** The next regular payment, without the discount of the first. */
    renew: (name: string, as: string) => {
      const latest = findSubscription(name)
      const amounts = amountsOf({ ...latest, discountCents: 0 })
      const payment = nextPayment(latest, { name: as, reason: 'renewal', priceCents: latest.priceCents, amounts })
      return send(wire.paid(payment, latest))
    },

    /** Charges a part of the difference immediately; later renewals cost the new price. */
    upgrade: (name: string, as: string, { priceCents, chargeCents }: { priceCents: number; chargeCents: number }) => {
      const latest = findSubscription(name)
      if (priceCents <= latest.priceCents) throw new Error('The new price of an upgrade is higher than the old one.')
      const amounts = amountsOf({ ...latest, priceCents: chargeCents, discountCents: 0 })
      const payment = nextPayment(latest, { name: as, reason: 'upgrade', priceCents, amounts })
      return send(wire.paid(payment, latest))
    },

    /** Refunds what is left unless an amount is given. The amount includes tax. */
    refund: (name: string, { cents, outcome = 'succeeds' }: { cents?: number; outcome?: Refund['outcome'] } = {}) => {
      const payment = find(name)
      const amounts = refundOf(payment.amounts, payment.refunded, cents)
      refunds += 1
      if (outcome === 'succeeds')
        payment.refunded = {
          totalCents: payment.refunded.totalCents + amounts.totalCents,
          taxCents: payment.refunded.taxCents + amounts.taxCents,
        }
      return send(wire.refunded(payment, { name: `${name} ${refunds}`, at: tick(), ...amounts, outcome }))
    },

    dispute: (name: string, step: DisputeStep) =>
      wire.disputeSteps.includes(step) ? send(wire.disputed(find(name), step, tick())) : [],

    cancel: (name: string) => send(wire.cancelled(findSubscription(name), tick())),

    /** The subscription ends now. */
    end: (name: string) => {
      const latest = findSubscription(name)
      endedPurchases.add(latest.purchase)
      return send(wire.ended(latest, tick()))
    },

    hasEnded: (name: string) => endedPurchases.has(find(name).purchase),
    createCode: (code: string) => send(wire.codeCreated(code, tick())),
    /** An event type that nobody has documented. */
    unknown: () => send([wire.unknown(tick())]),
    /** A new signature for the same event: another secret, several during a rotation, or another time. */
    sign,
    /** Signs any body. */
    deliver: (body: string | Uint8Array<ArrayBuffer>, { id = 'evt_any', type = 'any' } = {}) =>
      sign({ id, type, body: typeof body === 'string' ? bytesOf(body) : body }),
  }
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'))

const DEFAULTS = {
  mode: 'payment',
  product: 'Product',
  priceCents: 4900,
  discountCents: 0,
  discountCode: null,
  taxBps: 0,
  taxInclusive: false,
  currency: 'USD',
  trialDays: null,
  metadata: {},
  email: 'customer@example.com',
  customerName: 'Ann Customer',
} satisfies Purchase
