import { describe, expect, test } from 'bun:test'
import type { Delivery } from '@tributary/example-processor/fakes'
import { unique } from '../../support/given.ts'
import { givenService } from '../../support/shared-service.ts'
import { contentOf, eventIn, givenPaddle } from './given-paddle.ts'

const service = await givenService()
const MONTH_MS = 30 * 86_400_000
const SUBSCRIPTION = { mode: 'subscription', priceCents: 10_000, taxBps: 2_000 } as const

/** As after the merchant removed the custom data from the subscription. */
const withoutCustomData = (deliveries: Delivery[]) =>
  deliveries.map((delivery) => {
    const content = contentOf(delivery)
    content.data.custom_data = null
    return { ...delivery, body: new Uint8Array(Buffer.from(JSON.stringify(content))) }
  })

describe('a customer known by Paddle’s ID', () => {
  test('stays with the partner when a renewal has no custom data', async () => {
    const program = await givenPaddle(service)
    const { name, deliveries } = await program.payment(SUBSCRIPTION)
    await program.send(deliveries)
    service.clock.advance(MONTH_MS)
    await program.send(withoutCustomData(program.fake.renew(name, unique('second'))))
    expect(await program.earned()).toEqual({ commissions: 2, cents: 2_000, reversed: 0 })
  })

  test('is bound by a trial, which takes no money', async () => {
    const program = await givenPaddle(service)
    const { name, deliveries } = await program.payment({ ...SUBSCRIPTION, trialDays: 14 })
    await program.send(deliveries)
    expect(await program.sales()).toEqual([])
    service.clock.advance(MONTH_MS)
    await program.send(withoutCustomData(program.fake.renew(name, unique('first'))))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
  })

  test('of another workspace with the same ID is another customer', async () => {
    const [program, other] = [await givenPaddle(service), await givenPaddle(service)]
    const { name, deliveries } = await program.payment({ ...SUBSCRIPTION, customer: 'the same' })
    await program.send(deliveries)
    await other.send(other.fake.checkout(name, { ...SUBSCRIPTION, customer: 'the same' }))
    expect(await other.earned()).toEqual({ commissions: 0, cents: 0, reversed: 0 })
  })

  test('whom no one referred is not credited', async () => {
    const program = await givenPaddle(service)
    const paid = program.fake.checkout(unique('payment'), SUBSCRIPTION)
    await program.send(paid)
    expect(await program.event(eventIn(paid, 'transaction.completed').id)).toMatchObject({ programId: null })
    expect(await program.earned()).toEqual({ commissions: 0, cents: 0, reversed: 0 })
  })
})

test('a customer of the merchant does not move to whoever types their email address at a checkout', async () => {
  const program = await givenPaddle(service)
  const [name, customer] = [unique('payment'), unique('person')]
  const metadata = { program_id: String(program.id), service_customer_key: unique('customer') }
  await program.send(program.fake.checkout(name, { ...SUBSCRIPTION, customer, metadata }))
  const { service_click_id } = await program.visitor()
  const cheap = { priceCents: 100, customer, metadata: { program_id: String(program.id), service_click_id } }
  await program.send(program.fake.checkout(unique('cheap'), cheap))
  expect(await program.earned()).toMatchObject({ commissions: 1, cents: 10 })
  service.clock.advance(MONTH_MS)
  await program.send(program.fake.renew(name, unique('renewal')))
  expect(await program.earned()).toMatchObject({ commissions: 1, cents: 10 })
})
