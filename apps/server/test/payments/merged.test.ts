import { describe, expect, test } from 'bun:test'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { Refusal } from '../../src/refusal.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'
import { expectOneOutcome, type Step } from './orders.ts'

const ledger = await givenLedger()

const MINUTES = 60_000
const intent: Step = { references: ['pi_1', 'ch_1'], says: paid(11_900), attributed: true, second: 60 }
const invoice: Step = {
  references: ['in_1'],
  says: paid(11_900, { netCents: 10_000, source: 'invoice' }),
  attributed: true,
  second: 62,
}
const samePayment: Step = { references: ['in_1', 'pi_1'], says: SAME_PAYMENT, second: 63 }

/** Since 2025 an invoice does not name its payment, so both create a sale until another report links them. */
const givenTwoSales = async () => {
  const shop = await givenPayments(ledger)
  const attribution = await shop.attribution()
  await shop.report(['pi_1', 'ch_1'], paid(11_900), { attribution })
  await shop.report(['in_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution })
  expect(await shop.liveSales()).toHaveLength(2)
  return shop
}
const payOut = async (shop: Awaited<ReturnType<typeof givenPayments>>) => {
  const { payoutId, lines } = await shop.pay()
  await shop.mark({ payoutId, lineId: lines[0]?.id ?? 0 }, 'paid')
}

describe('two sales of one payment', () => {
  test('are merged: the other is voided, earns nothing and no longer counts', async () => {
    const shop = await givenTwoSales()
    await shop.report(['in_1', 'pi_1'], SAME_PAYMENT)
    const [kept, voided] = (await shop.sales()).toSorted((a, b) => Number(a.voidedAt) - Number(b.voidedAt))
    expect(kept).toMatchObject({ amountCents: 10_000, invoiceId: 'in_1', voidedAt: null })
    expect(voided).toMatchObject({ mergedInto: kept?.id })
    expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('both paid: the excess is a debt', async () => {
    const shop = await givenTwoSales()
    await payOut(shop)
    expect(await shop.balance()).toMatchObject({ paidCents: 2_190, payableCents: 0 })
    await shop.report(['in_1', 'pi_1'], SAME_PAYMENT)
    expect(await shop.balance()).toMatchObject({ paidCents: 2_190, payableCents: -1_190 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('one of them paid: that one stays, and history is unchanged', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    await shop.report(['in_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution })
    await payOut(shop)
    await shop.report(['pi_1'], paid(11_900), { attribution })
    await shop.report(['in_1', 'pi_1'], SAME_PAYMENT)
    expect(await shop.balance()).toMatchObject({ paidCents: 1_000, payableCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('that the merchant reported under two processor names are merged too, with their refunds', async () => {
    const shop = await givenPayments(ledger)
    const customer = await shop.customer()
    await shop.sale(customer, 10_000, 'in_1')
    await shop.sale(customer, 10_000, 'pi_1')
    await shop.refund('in_1', 2_000)
    await shop.refund('pi_1', 3_000)
    await shop.report(['in_1', 'pi_1'], SAME_PAYMENT)
    expect(await shop.liveSales()).toHaveLength(1)
    expect(await shop.balance()).toMatchObject({ payableCents: 500 })
    expect(await shop.refund('pi_1')).toMatchObject({ refundedCents: 10_000, reversedCents: 1_000 })
    await expect(shop.sale(customer, 10_000, 'in_1')).rejects.toThrow(Refusal)
    await expect(shop.sale(customer, 10_000, 'pi_1')).rejects.toThrow(Refusal)
    expect((await shop.verify()).differences).toEqual([])
  })

  test(
    'pay for the first sale of a customer once, in every order',
    async () => {
      const reward = { sale: { percentBps: 1_000, duration: 'first' as const } }
      const { balance } = await expectOneOutcome(ledger, [intent, invoice, samePayment], { reward })
      expect(balance).toMatchObject({ payableCents: 1_000 })
    },
    5 * MINUTES,
  )

  test(
    'pay a flat amount once, in every order, held until the same day',
    async () => {
      const reward = { sale: { amountCents: 500, duration: 'lifetime' as const }, holdDays: 7 }
      const { balance, commission } = await expectOneOutcome(ledger, [intent, invoice, samePayment], { reward })
      expect(balance).toMatchObject({ heldCents: 500, payableCents: 0 })
      expect(commission?.payableAt).toBe(60 + 7 * 86_400)
    },
    5 * MINUTES,
  )
})

describe('a corrected amount', () => {
  const small: Step = { references: ['pi_1'], says: paid(10), attributed: true }
  const smaller: Step = {
    references: ['in_1', 'pi_1'],
    says: paid(10, { netCents: 4, source: 'invoice' }),
    attributed: true,
  }

  test('that rounds to zero leaves nothing, in every order', async () => {
    const seen = ({
      balance,
      sale,
    }: {
      balance: { payableCents: number }
      sale: { amountCents: number } | undefined
    }) => ({
      payable: balance.payableCents,
      amount: sale?.amountCents,
    })
    expect(await expectOneOutcome(ledger, [small, smaller], { seen })).toEqual({ payable: 0, amount: 4 })
  })

  test(
    'raised from zero earns what refunds and disputes leave, in every order',
    async () => {
      const steps: Step[] = [
        { api: 'sale', amount: 4, invoiceId: 'pi_1' },
        { references: ['pi_1'], says: { kind: 'refunded_in_all', grossCents: 5_950, currency: 'USD' }, second: 70 },
        {
          references: ['pi_1'],
          says: { kind: 'dispute', disputeId: 'dp_1', state: 'open', grossCents: null },
          second: 80,
        },
        { ...intent, says: paid(11_900, { netCents: 10_000 }) },
      ]
      const { disputedCents, amount } = await expectOneOutcome(ledger, steps, {
        first: { api: 'lead' },
        seen: ({ balance, sale }) => ({ disputedCents: balance.disputedCents, amount: sale?.amountCents }),
      })
      expect([disputedCents, amount]).toEqual([500, 10_000])
    },
    5 * MINUTES,
  )

  test('reduces an open payout by the excess', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    await shop.report(['pi_1'], paid(11_900), { attribution })
    await shop.pay()
    await shop.report(['in_1', 'pi_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution })
    expect(await shop.balance()).toMatchObject({ batchedCents: 1_000, payableCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test("in another currency than the merchant's sale is rejected, and the sale stays", async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    await shop.lead(attribution.customerKey, attribution.clickId)
    await shop.sale(attribution.customerKey, 10_000, 'pi_1')
    const result = await shop.report(['pi_1'], paid(9_000, { currency: 'EUR' }), { attribution })
    expect(result).toMatchObject({ outcome: 'refused', reason: 'sale_other_currency' })
    expect(await shop.liveSales()).toMatchObject([{ amountCents: 10_000, currency: 'USD' }])
  })

  test("of a payment without metadata keeps the merchant's amount, and refunds a share of it", async () => {
    const api: Step = { api: 'sale', amount: 8_000, invoiceId: 'pi_1' }
    const steps: Step[] = [
      api,
      { ...intent, attributed: false },
      { references: ['ch_1'], says: { kind: 'refunded_in_all', grossCents: 5_950, currency: 'USD' }, second: 70 },
    ]
    const seen = ({
      balance,
      sale,
    }: {
      balance: { payableCents: number }
      sale: { amountCents: number } | undefined
    }) => ({
      payable: balance.payableCents,
      amount: sale?.amountCents,
    })
    expect(await expectOneOutcome(ledger, steps, { first: { api: 'lead' }, seen })).toEqual({
      payable: 400,
      amount: 8_000,
    })
  })
})
