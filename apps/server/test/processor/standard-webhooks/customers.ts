import { describe, expect, test } from 'bun:test'
import type { Delivery } from '@tributary/example-processor/fakes'
import { unique } from '../../support/given.ts'
import type { TestService } from '../../support/service.ts'
import { type contentOf, givenFake, type Processed, withContent } from './given-fake.ts'

const DAY_MS = 86_400_000

type Customers = Processed & { clearMetadata(content: ReturnType<typeof contentOf>): void }

/** Payments without metadata, of customers known by the processor's ID. */
export const bindsCustomers = (service: TestService, suite: Customers) => {
  const given = () => givenFake(service, suite)
  const unnamed = (deliveries: Delivery[]) => deliveries.map((delivery) => withContent(delivery, suite.clearMetadata))
  const subscription = { mode: 'subscription', priceCents: 10_000, taxBps: 2_000 } as const

  describe('a payment without metadata', () => {
    test('is credited to the partner who referred the processor’s customer', async () => {
      const program = await given()
      const { name, deliveries } = await program.checkout(subscription)
      await program.send(...deliveries)
      service.clock.advance(30 * DAY_MS)
      await program.send(...unnamed(program.fake.renew(name, unique('renewal'))))
      const sale = { amountCents: 10_000, partnerId: program.link.partnerId }
      expect(await program.sales()).toMatchObject([sale, sale])
      expect(await program.earned()).toEqual({ commissions: 2, cents: 2_000, reversed: 0 })
    })

    test('is credited if it arrives before the one with metadata', async () => {
      const program = await given()
      const { name, deliveries } = await program.checkout(subscription)
      const renewal = unnamed(program.fake.renew(name, unique('renewal')))
      service.clock.advance(60_000)
      await program.send(...renewal, ...deliveries)
      expect(await program.earned()).toEqual({ commissions: 2, cents: 2_000, reversed: 0 })
    })

    test('after a trial is credited to the click before the trial', async () => {
      const program = await given()
      const { name, deliveries } = await program.checkout({ ...subscription, trialDays: 14 })
      await program.send(...deliveries)
      expect(await program.sales()).toEqual([])
      service.clock.advance(14 * DAY_MS)
      await program.send(...unnamed(program.fake.renew(name, unique('renewal'))))
      expect(await program.sales()).toMatchObject([{ amountCents: 10_000, partnerId: program.link.partnerId }])
      expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    })

    test('of a customer without a referral is not credited', async () => {
      const program = await given()
      await program.send(...(await program.checkout(subscription)).deliveries)
      await program.send(...program.fake.checkout(unique('payment'), { ...subscription, metadata: {} }))
      expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    })

    test('of another workspace’s customer with the same ID is not credited', async () => {
      const [program, other] = [await given(), await given()]
      const customer = unique('customer')
      await program.send(...(await program.checkout({ ...subscription, customer })).deliveries)
      await other.send(...other.fake.checkout(unique('payment'), { ...subscription, customer, metadata: {} }))
      expect(await other.commissions()).toEqual([])
      expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    })
  })
}
