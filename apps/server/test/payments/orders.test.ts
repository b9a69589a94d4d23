import { describe, expect, test } from 'bun:test'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { givenLedger, paid } from './given-payments.ts'
import { expectOneOutcome, representativeOrders, type Step } from './orders.ts'

const ledger = await givenLedger()

const checkout: Step = {
  references: ['cs_1', 'pi_1'],
  says: paid(11_900, { netCents: 10_000, source: 'checkout' }),
  attributed: true,
  second: 61,
}
const intent: Step = { references: ['pi_1', 'ch_1'], says: paid(11_900), attributed: true, second: 60 }
const invoice: Step = {
  references: ['in_1'],
  says: paid(11_900, { netCents: 10_000, source: 'invoice', subscriptionId: 'sub_1' }),
  attributed: true,
  second: 62,
}
const samePayment: Step = { references: ['in_1', 'pi_1'], says: SAME_PAYMENT, second: 63 }
const apiSale: Step = { api: 'sale', amount: 9_900, invoiceId: 'pi_1' }

const MINUTES = 60_000

test.each([2, 3, 4, 5, 6, 7, 8])('the short run of %d steps has every pair of neighbors', (size) => {
  const steps = Array.from({ length: size }, (_, step) => step)
  const orders = representativeOrders(steps)
  for (const order of orders) expect(order.toSorted()).toEqual(steps)
  const neighbors = orders.flatMap((order) => order.slice(1).map((step, index) => `${order[index]} ${step}`))
  expect(new Set(neighbors).size).toBe(size * (size - 1))
})

describe('one payment is one sale, in every order of its reports:', () => {
  test(
    'checkout session, payment intent, invoice and the reports that link them',
    async () => {
      const { sale, commission, balance } = await expectOneOutcome(ledger, [checkout, intent, invoice, samePayment])
      expect(sale).toMatchObject({ amountCents: 10_000, name: 'in_1', soldAt: 60, isCredited: true })
      expect(commission).toEqual({ amountCents: 1_000, payableAt: 60 })
      expect(balance).toMatchObject({ payableCents: 1_000 })
    },
    5 * MINUTES,
  )

  test(
    "the same and the merchant's own call",
    async () => {
      const seen = ({ sale, ...rest }: { sale: object | undefined }) => ({
        ...rest,
        sale: { ...sale, name: null, reportedBy: null },
      })
      const outcome = await expectOneOutcome(ledger, [intent, invoice, samePayment, apiSale], { seen })
      expect(outcome).toMatchObject({ sale: { amountCents: 10_000 }, balance: { payableCents: 1_000 } })
    },
    5 * MINUTES,
  )

  test('a bare payment without metadata, whose checkout names the customer later', async () => {
    const bare: Step = { ...intent, attributed: false }
    const { sale } = await expectOneOutcome(ledger, [bare, checkout])
    expect(sale).toMatchObject({ amountCents: 10_000, isCredited: true })
  })
})

describe('a browser lead changes nothing in any order:', () => {
  const browser: Step = { api: 'browser lead' }
  const byKey: Step = { ...intent, attributed: 'by key' }
  const refunded: Step = {
    references: ['pi_1'],
    says: { kind: 'refunded_in_all', grossCents: 1_190, currency: 'USD' },
    second: 90,
  }

  test(
    'a payment that names the click confirms it',
    async () => {
      const { balance, sale } = await expectOneOutcome(ledger, [browser, checkout, intent, refunded])
      expect(sale).toMatchObject({ isCredited: true })
      expect(balance).toMatchObject({ payableCents: 900, reviewCents: 0 })
    },
    5 * MINUTES,
  )

  test('an earlier payment that names only the customer is unattributed', async () => {
    const { balance, sale } = await expectOneOutcome(ledger, [browser, byKey, refunded])
    expect(sale).toMatchObject({ isCredited: false, reason: 'customer_unknown' })
    expect(balance).not.toMatchObject({ payableCents: 900 })
  })

  test(
    'and is credited once the server has reported the customer',
    async () => {
      const { balance, sale } = await expectOneOutcome(ledger, [browser, byKey, refunded, { api: 'lead' }])
      expect(sale).toMatchObject({ isCredited: true })
      expect(balance).toMatchObject({ payableCents: 1_071, reviewCents: 0 })
    },
    5 * MINUTES,
  )
})
