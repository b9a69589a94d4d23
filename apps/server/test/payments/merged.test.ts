import { describe, expect, test } from 'bun:test'
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
const tie: Step = { references: ['in_1', 'pi_1'], says: { kind: 'tie' }, second: 63 }

/** Since 2025 an invoice does not name its payment, so both make a sale until something ties them. */
const givenTwoSales = async () => {
  const shop = await givenPayments(ledger)
  const attribution = await shop.attribution()
  await shop.say(['pi_1', 'ch_1'], paid(11_900), { attribution })
  await shop.say(['in_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution })
  expect(await shop.liveSales()).toHaveLength(2)
  return shop
}
const payOut = async (shop: Awaited<ReturnType<typeof givenPayments>>) => {
  const { payoutId, lines } = await shop.pay()
  await shop.mark({ payoutId, lineId: lines[0]?.id ?? 0 }, 'paid')
}

describe('two sales that turn out to be one payment', () => {
  test('are one from then on: the other is voided, earns nothing and counts no more', async () => {
    const shop = await givenTwoSales()
    await shop.say(['in_1', 'pi_1'], { kind: 'tie' })
    const [kept, voided] = (await shop.sales()).toSorted((a, b) => Number(a.voidedAt) - Number(b.voidedAt))
    expect(kept).toMatchObject({ amountCents: 10_000, invoiceId: 'in_1', voidedAt: null })
    expect(voided).toMatchObject({ mergedInto: kept?.id })
    expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('after both were paid, what was paid too much is a debt', async () => {
    const shop = await givenTwoSales()
    await payOut(shop)
    expect(await shop.balance()).toMatchObject({ paidCents: 2_190, payableCents: 0 })
    await shop.say(['in_1', 'pi_1'], { kind: 'tie' })
    expect(await shop.balance()).toMatchObject({ paidCents: 2_190, payableCents: -1_190 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('of which one was paid: that one stays, and history is untouched', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    await shop.say(['in_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution })
    await payOut(shop)
    await shop.say(['pi_1'], paid(11_900), { attribution })
    await shop.say(['in_1', 'pi_1'], { kind: 'tie' })
    expect(await shop.balance()).toMatchObject({ paidCents: 1_000, payableCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('that the merchant reported under two names of the processor are one, too, and their refunds are its refunds', async () => {
    const shop = await givenPayments(ledger)
    const customer = await shop.customer()
    await shop.sale(customer, 10_000, 'in_1')
    await shop.sale(customer, 10_000, 'pi_1')
    await shop.refund('in_1', 2_000)
    await shop.refund('pi_1', 3_000)
    await shop.say(['in_1', 'pi_1'], { kind: 'tie' })
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
      const { balance } = await expectOneOutcome(ledger, [intent, invoice, tie], { reward })
      expect(balance).toMatchObject({ payableCents: 1_000 })
    },
    5 * MINUTES,
  )

  test(
    'pay a flat amount once, in every order, held until the same day',
    async () => {
      const reward = { sale: { amountCents: 500, duration: 'lifetime' as const }, holdDays: 7 }
      const { balance, commission } = await expectOneOutcome(ledger, [intent, invoice, tie], { reward })
      expect(balance).toMatchObject({ heldCents: 500, payableCents: 0 })
      expect(commission?.payableAt).toBe(60 + 7 * 86_400)
    },
    5 * MINUTES,
  )
})

describe('an amount that is corrected', () => {
  const small: Step = { references: ['pi_1'], says: paid(10), attributed: true }
  const smaller: Step = {
    references: ['in_1', 'pi_1'],
    says: paid(10, { netCents: 4, source: 'invoice' }),
    attributed: true,
  }

  test('to so little that it rounds to nothing leaves nothing, in every order', async () => {
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
    'from nothing to something earns what refunds and disputes have left of it, in every order',
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

  test('takes from an open payout what it promised too much', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    await shop.say(['pi_1'], paid(11_900), { attribution })
    await shop.pay()
    await shop.say(['in_1', 'pi_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution })
    expect(await shop.balance()).toMatchObject({ batchedCents: 1_000, payableCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test("in another currency than the merchant's sale is refused, and the sale stands", async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    await shop.lead(attribution.customerKey, attribution.clickId)
    await shop.sale(attribution.customerKey, 10_000, 'pi_1')
    const told = await shop.say(['pi_1'], paid(9_000, { currency: 'EUR' }), { attribution })
    expect(told).toMatchObject({ fate: 'refused', reason: 'sale_other_currency' })
    expect(await shop.liveSales()).toMatchObject([{ amountCents: 10_000, currency: 'USD' }])
  })

  test("of a payment without metadata leaves the merchant's own amount, and refunds a share of it", async () => {
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
