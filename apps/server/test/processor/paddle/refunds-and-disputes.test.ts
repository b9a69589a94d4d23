import { describe, expect, test } from 'bun:test'
import type { Purchase } from '@tributary/example-processor/fakes'
import { unique } from '../../support/given.ts'
import { givenService } from '../../support/shared-service.ts'
import { contentOf, eventIn, givenPaddle } from './given-paddle.ts'

const service = await givenService()

/** 120.00 with 20.00 of tax: the partner earns 10.00. */
const givenPaid = async (more: Purchase = {}) => {
  const program = await givenPaddle(service)
  const payment = await program.payment({ priceCents: 10_000, taxBps: 2_000, ...more })
  await program.send(payment.deliveries)
  return { program, ...payment }
}

describe('a refund at Paddle', () => {
  test('of two parts takes two shares, and the rest with the last', async () => {
    const { program, name } = await givenPaid()
    await program.send(program.fake.refund(name, { cents: 3_000 }))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 250 })
    await program.send(program.fake.refund(name, { cents: 6_000 }))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 750 })
    await program.send(program.fake.refund(name))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 1_000 })
  })

  test.each([true, false])('in full takes everything (tax inclusive: %p)', async (taxInclusive) => {
    const { program, name } = await givenPaid({ taxInclusive, priceCents: 9_999, taxBps: 1_900 })
    await program.send(program.fake.refund(name))
    const { cents, reversed } = await program.earned()
    expect(cents).toBeGreaterThan(0)
    expect(reversed).toBe(cents)
  })

  test('takes nothing until Paddle approves it', async () => {
    const { program, name } = await givenPaid()
    const waiting = program.fake.refund(name, { outcome: 'waits' })
    await program.send(waiting)
    expect(await program.event(eventIn(waiting, 'adjustment.created').id)).toMatchObject({
      fate: 'ignored',
      reason: 'refund_pending',
    })
    expect(await program.earned()).toMatchObject({ reversed: 0 })
  })

  test('that Paddle rejects takes nothing', async () => {
    const { program, name } = await givenPaid()
    const rejected = program.fake.refund(name, { outcome: 'fails' })
    await program.send(rejected)
    expect(await program.event(eventIn(rejected, 'adjustment.updated').id)).toMatchObject({ reason: 'refund_failed' })
    expect(await program.earned()).toMatchObject({ reversed: 0 })
  })

  test('of an unknown state waits, and counts once it is approved', async () => {
    const { program, name } = await givenPaid()
    const approved = eventIn(program.fake.refund(name), 'adjustment.updated')
    const unknown = contentOf(approved)
    Object.assign(unknown, { event_id: 'evt_of_an_unknown_state' }).data.status = 'in_review'
    await program.send([program.fake.deliver(JSON.stringify(unknown))])
    expect(await program.event(unknown.event_id)).toMatchObject({ reason: 'refund_pending' })
    expect(await program.earned()).toMatchObject({ reversed: 0 })
    await program.send([approved])
    expect(await program.earned()).toMatchObject({ reversed: 1_000 })
  })

  test('of the tax alone takes nothing from the partner', async () => {
    const { program, name } = await givenPaid()
    const event = contentOf(eventIn(program.fake.refund(name, { cents: 2_000 }), 'adjustment.updated'))
    Object.assign(event.data.totals, { subtotal: '0', tax: '2000', total: '2000' })
    await program.send([program.fake.deliver(JSON.stringify(event))])
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
  })

  test('delivered twice counts once', async () => {
    const { program, name } = await givenPaid()
    const refund = program.fake.refund(name, { cents: 3_000 })
    await program.send([...refund, ...refund])
    const again = { ...contentOf(eventIn(refund, 'adjustment.updated')), event_id: 'evt_of_the_same_adjustment' }
    await program.send([program.fake.deliver(JSON.stringify(again))])
    expect(await program.earned()).toMatchObject({ reversed: 250 })
  })

  test('before its payment is applied with it', async () => {
    const program = await givenPaddle(service)
    const { name, deliveries } = await program.payment({ priceCents: 10_000, taxBps: 2_000 })
    const refund = program.fake.refund(name)
    await program.send(refund)
    const approved = eventIn(refund, 'adjustment.updated').id
    expect(await program.event(approved)).toMatchObject({ fate: 'waiting', reason: 'refund_before_sale' })
    await program.send(deliveries)
    expect(await program.event(approved)).toMatchObject({ fate: 'applied', reason: 'refund_recorded' })
    expect((await program.sales()).length).toBe(1)
    const { cents, reversed } = await program.earned()
    expect(reversed).toBe(cents)
  })

  test('as credit returns no money', async () => {
    const { program, name } = await givenPaid()
    const event = contentOf(eventIn(program.fake.refund(name), 'adjustment.updated'))
    event.data.action = 'credit'
    await program.send([program.fake.deliver(JSON.stringify(event))])
    expect(await program.event(event.event_id)).toMatchObject({ fate: 'ignored', reason: 'other_event' })
    expect(await program.earned()).toMatchObject({ reversed: 0 })
  })
})

describe('a dispute at Paddle', () => {
  test.each([
    ['chargeback', 'opened', 'won'],
    ['warning', 'warned', 'warning_closed'],
  ] as const)('(%s) holds the commission until it is reversed', async (_, open, close) => {
    const { program, name } = await givenPaid()
    expect(await program.balance()).toEqual({ payableCents: 1_000, disputedCents: 0 })
    const opened = program.fake.dispute(name, open)
    await program.send(opened)
    expect(await program.event(opened[0]?.id ?? null)).toMatchObject({ fate: 'applied', reason: 'dispute_recorded' })
    expect(await program.balance()).toEqual({ payableCents: 0, disputedCents: 1_000 })
    await program.send(program.fake.dispute(name, close))
    expect(await program.balance()).toEqual({ payableCents: 1_000, disputedCents: 0 })
  })

  test.each([0, 1])('that is won is released by either of its two events (%p)', async (index) => {
    const { program, name } = await givenPaid()
    await program.send(program.fake.dispute(name, 'opened'))
    await program.send(program.fake.dispute(name, 'won').slice(index, index + 1))
    expect(await program.balance()).toEqual({ payableCents: 1_000, disputedCents: 0 })
  })

  test('that is never reversed stays on hold: Paddle does not report that one is lost', async () => {
    const { program, name } = await givenPaid()
    expect(program.fake.disputeSteps).not.toContain('lost')
    await program.send(program.fake.dispute(name, 'opened'))
    service.clock.advance(200 * 86_400_000)
    expect(await program.balance()).toEqual({ payableCents: 0, disputedCents: 1_000 })
  })

  test.each([0, 1])('that follows one that was won holds the commission again, in any order (%p)', async (index) => {
    const { program, name } = await givenPaid()
    const first = program.fake.dispute(name, 'opened')
    service.clock.advance(86_400_000)
    const won = program.fake.dispute(name, 'won').slice(index, index + 1)
    service.clock.advance(86_400_000)
    const again = contentOf(eventIn(first, 'adjustment.created'))
    Object.assign(again, { event_id: unique('evt'), occurred_at: service.clock.now().toISOString() })
    again.data.id = 'adj_01m6wqz2k3b5v8x9y0t1s4r7p2'
    const second = program.fake.deliver(JSON.stringify(again))
    const orders = [
      [...first, ...won, second],
      [second, ...won, ...first],
    ]
    await program.send(orders[index] ?? [])
    expect(await program.balance()).toEqual({ payableCents: 0, disputedCents: 1_000 })
    service.clock.advance(86_400_000)
    const reversed = { ...again, event_id: unique('evt'), occurred_at: service.clock.now().toISOString() }
    reversed.data = { ...again.data, id: 'adj_01m6wqz2k3b5v8x9y0t1s4r7p3', action: 'chargeback_reverse' }
    await program.send([program.fake.deliver(JSON.stringify(reversed))])
    expect(await program.balance()).toEqual({ payableCents: 1_000, disputedCents: 0 })
  })

  test('of a warning does not close a chargeback', async () => {
    const { program, name } = await givenPaid()
    for (const step of ['warned', 'opened', 'warning_closed'] as const)
      await program.send(program.fake.dispute(name, step))
    expect(await program.balance()).toEqual({ payableCents: 0, disputedCents: 1_000 })
    await program.send(program.fake.dispute(name, 'won'))
    expect(await program.balance()).toEqual({ payableCents: 1_000, disputedCents: 0 })
  })

  test('over a part holds its share', async () => {
    const { program, name } = await givenPaid()
    const event = contentOf(eventIn(program.fake.dispute(name, 'opened'), 'adjustment.created'))
    Object.assign(event.data.totals, { subtotal: '4000', tax: '800', total: '4800' })
    await program.send([program.fake.deliver(JSON.stringify(event))])
    expect(await program.balance()).toEqual({ payableCents: 600, disputedCents: 400 })
  })
})
