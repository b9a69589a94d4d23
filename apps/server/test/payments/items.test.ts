import { expect, setDefaultTimeout, test } from 'bun:test'
import type { SaleItems } from '../../src/money/rewards/rules.ts'
import type { ReportBody } from '../../src/payments/payment-report.ts'
import { givenLedger, givenPayments } from './given-payments.ts'
import { permutations } from './orders.ts'

setDefaultTimeout(60_000)

const ledger = await givenLedger()

const paid = (source: 'invoice' | 'checkout', items?: SaleItems): ReportBody => ({
  kind: 'paid',
  grossCents: 1_000,
  netCents: 1_000,
  currency: 'USD',
  source,
  subscriptionId: null,
  ...(items && { items }),
})
const addon = (amountCents: number) => ({ productId: 'addon', planId: null, interval: null, amountCents })
const REFUND: ReportBody = {
  kind: 'refund',
  refundId: 're_1',
  grossCents: 500,
  currency: 'USD',
  state: 'made',
  reason: null,
}

test('the invoice adds the items that a checkout session does not have, in any order with a refund', async () => {
  const sale = { rules: [{ when: { products: ['addon'] }, pays: [] }, { pays: [{ percentBps: 1_000 }] }] }
  const said: [[string, ...string[]], ReportBody][] = [
    [['cs_1', 'in_1'], paid('checkout')],
    [['in_1'], paid('invoice', { totalCents: 1_000, parts: [addon(400)] })],
    [['in_1'], REFUND],
  ]
  for (const order of permutations(said)) {
    const payments = await givenPayments(ledger, { sale })
    const attribution = await payments.attribution()
    payments.clock.advance(1_000)
    const at = payments.clock.now()
    for (const [references, says] of order) {
      payments.clock.advance(1_000)
      await payments.report(references, says, { at, attribution })
    }
    expect(await payments.commissions()).toMatchObject([{ amountCents: 60 }])
    expect(await payments.balance()).toMatchObject({ payableCents: 30 })
    expect((await payments.verify()).differences).toEqual([])
  }
})
