import { expect, setDefaultTimeout, test } from 'bun:test'
import type { ReportBody } from '../../src/payments/payment-report.ts'
import { givenLedger, givenPayments } from './given-payments.ts'

setDefaultTimeout(60_000)

const ledger = await givenLedger()

const paid = (grossCents: number, source: 'invoice' | 'checkout' = 'checkout'): ReportBody => ({
  kind: 'paid',
  grossCents,
  netCents: grossCents,
  currency: 'USD',
  source,
  subscriptionId: null,
})
const refund = (refundId: string, grossCents: number): ReportBody => ({
  kind: 'refund',
  refundId,
  grossCents,
  currency: 'USD',
  state: 'made',
  reason: null,
})

test('a refunded sale that earns only later uses the maximum for the sales that came before that', async () => {
  const sale = {
    rules: [{ when: { payment: 'renewal' as const }, pays: [{ percentBps: 1_000 }], maxPerCustomerCents: 500 }],
  }
  const payments = await givenPayments(ledger, { sale })
  const attribution = await payments.attribution()
  const [first, second, third] = [1, 2, 3].map(() => {
    payments.clock.advance(1_000)
    return payments.clock.now()
  }) as [Date, Date, Date]
  payments.clock.advance(1_000)
  await payments.report(['cs_2'], paid(5_000), { at: second, attribution })
  await payments.report(['cs_2'], refund('re_2', 5_000), { at: second, attribution })
  await payments.report(['cs_3'], paid(5_000), { at: third, attribution })
  payments.clock.advance(1_000)
  expect(await payments.commissions()).toMatchObject([{ amountCents: 500 }])
  await payments.report(['cs_1'], paid(5_000), { at: first, attribution })
  expect(await payments.commissions()).toMatchObject([{ amountCents: 0 }, { amountCents: 500 }])
  expect(await payments.balance()).toMatchObject({ payableCents: 0 })
  expect((await payments.verify()).differences).toEqual([])
})
