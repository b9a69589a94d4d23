import { expect, test } from 'bun:test'
import type { ReportBody } from '../../src/payments/payment-report.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'

const ledger = await givenLedger()

const refund: ReportBody = {
  kind: 'refund',
  refundId: 're_released',
  grossCents: 4_000,
  currency: 'USD',
  state: 'made',
  reason: null,
}
const inAll: ReportBody = { kind: 'refunded_in_all', grossCents: 0, currency: 'USD' }

/** The checkout session does not include the uncaptured amount; the charge does, and arrives last. */
test('an uncaptured amount does not reduce the sale, even if it is reported last', async () => {
  const shop = await givenPayments(ledger)
  const attribution = await shop.attribution()
  await shop.report(['pi_1', 'ch_1'], paid(11_900, { netCents: 10_000, source: 'checkout' }), { attribution })
  expect((await shop.balance()).payableCents).toBe(1_000)
  shop.clock.advance(1_000)
  await shop.report(['ch_1'], refund)
  expect((await shop.balance()).payableCents).toBe(664)
  shop.clock.advance(1_000)
  await shop.report(['ch_1'], inAll, { neverTakenCents: 4_000 })
  expect((await shop.balance()).payableCents).toBe(1_000)
  expect((await shop.verify()).differences).toEqual([])
})
