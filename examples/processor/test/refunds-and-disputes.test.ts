import { describe, expect, test } from 'bun:test'
import type Stripe from 'stripe'
import { givenMerchant, oneTime } from './given-merchant.ts'

const givenPaid = async () => {
  const merchant = givenMerchant()
  const { processor, stripe, listener } = merchant
  const session = await stripe.checkout.sessions.create(oneTime(1000))
  const { ids } = processor.pay(session.id)
  await processor.settled()
  listener.received.length = 0
  return { ...merchant, sessionId: session.id, ids }
}

describe('refunds through the official client', () => {
  test('partial refunds add up to the whole and never exceed it', async () => {
    const { stripe, listener, processor, ids } = await givenPaid()
    const part = await stripe.refunds.create({ payment_intent: ids.intent ?? '', amount: 300 })
    expect(part).toMatchObject({ object: 'refund', amount: 300, charge: ids.charge, status: 'succeeded' })
    await stripe.refunds.create({ charge: ids.charge ?? '' })
    await processor.settled()
    const charges = listener.received.filter(({ event }) => event.type === 'charge.refunded')
    expect(charges.map(({ event }) => (event.data.object as Stripe.Charge).amount_refunded)).toEqual([300, 1000])
    expect(listener.types().filter((type) => type === 'refund.created')).toHaveLength(2)
    const rejected = stripe.refunds.create({ charge: ids.charge ?? '' })
    await expect(rejected).rejects.toMatchObject({ code: 'charge_already_refunded' })
  })

  test('a failed refund leaves nothing refunded', async () => {
    const { stripe, listener, processor, ids } = await givenPaid()
    const refund = await stripe.refunds.create({ payment_intent: ids.intent ?? '' })
    processor.failRefund(refund.id)
    await processor.settled()
    expect(listener.types()).toContain('refund.failed')
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe('failed')
    expect((await stripe.charges.retrieve(ids.charge ?? '')).amount_refunded).toBe(0)
  })
})

test('a dispute is opened, then won or lost', async () => {
  for (const [status, last] of [
    ['won', 'charge.dispute.funds_reinstated'],
    ['lost', 'charge.dispute.closed'],
  ] as const) {
    const { processor, listener, sessionId, ids } = await givenPaid()
    const { id } = processor.openDispute(sessionId)
    processor.closeDispute(id, status)
    await processor.settled()
    expect(listener.types().slice(0, 3)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
    ])
    expect(listener.types().at(-1)).toBe(last)
    expect(listener.received.at(-1)?.event.data.object).toMatchObject({ id, status, charge: ids.charge })
  }
})
