import { describe, expect, test } from 'bun:test'
import { type ReportBody, SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { givenLedger, givenPayments, type Payments, paid } from './given-payments.ts'

const ledger = await givenLedger()

const refund = (state: 'made' | 'failed'): ReportBody => ({
  kind: 'refund',
  refundId: 're_1',
  grossCents: 5_000,
  currency: 'USD',
  state,
  reason: null,
})

/** 100.00 paid, 10.00 of commission, voided. */
const givenVoided = async (before: (shop: Payments) => Promise<unknown> = async () => {}) => {
  const shop = await givenPayments(ledger)
  const attribution = await shop.attribution()
  await shop.lead(attribution.customerKey, attribution.clickId)
  await shop.report(['pi_1'], paid(10_000), { attribution })
  await before(shop)
  const [commission] = await shop.commissions()
  await shop.void(commission?.id ?? 0)
  return { shop, attribution }
}
const expectNothing = async (shop: Payments) => {
  expect(await shop.balance()).toMatchObject({ heldCents: 0, payableCents: 0, reviewCents: 0, disputedCents: 0 })
  expect((await shop.verify()).differences).toEqual([])
}

describe('a voided commission stays at zero', () => {
  test('when a refund that was reported before fails', async () => {
    const { shop } = await givenVoided((shop) => shop.report(['pi_1'], refund('made')))
    await shop.report(['pi_1'], refund('failed'))
    await expectNothing(shop)
  })

  test('when the amount and the time are corrected', async () => {
    const { shop, attribution } = await givenVoided()
    shop.clock.advance(3_600_000)
    await shop.report(['pi_1'], paid(20_000, { netCents: 18_000, source: 'checkout' }), { attribution })
    expect(await shop.liveSales()).toMatchObject([{ amountCents: 18_000 }])
    await expectNothing(shop)
  })

  test('when a better report names another customer of the same partner and the sale is recorded again', async () => {
    const { shop } = await givenVoided()
    const other = await shop.attribution()
    await shop.lead(other.customerKey, other.clickId)
    shop.clock.advance(60_000)
    await shop.report(['cs_1', 'pi_1'], paid(10_000, { netCents: 10_000, source: 'checkout' }), { attribution: other })
    expect(await shop.commissions()).toHaveLength(2)
    expect(await shop.liveSales()).toMatchObject([{ customerKey: other.customerKey }])
    await expectNothing(shop)
  })

  for (const [first, second] of [
    ['in_1', 'pi_1'],
    ['pi_1', 'in_1'],
  ] as const)
    test(`when ${first} was voided and the payment turns out to be one sale under two names`, async () => {
      const shop = await givenPayments(ledger)
      const attribution = await shop.attribution()
      shop.clock.advance(60_000)
      const report = (name: string, at: Date) =>
        name === 'in_1'
          ? shop.report(['in_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution, at })
          : shop.report(['pi_1', 'ch_1'], paid(11_900), { attribution, at })
      await report(first, shop.clock.now())
      const [commission] = await shop.commissions()
      await shop.void(commission?.id ?? 0)
      // The earlier of the two sales stays, which is the one that was not voided.
      await report(second, new Date(shop.clock.now().getTime() - 30_000))
      await shop.report(['in_1', 'ch_1'], SAME_PAYMENT)
      expect(await shop.liveSales()).toMatchObject([{ amountCents: 10_000 }])
      await expectNothing(shop)
    })
})
