import { describe, expect, test } from 'bun:test'
import type { ReportBody } from '../../src/payments/payment-report.ts'
import { givenLedger, givenPayments, type Payments, paid } from './given-payments.ts'
import { expectOneOutcome, type Step } from './orders.ts'

const ledger = await givenLedger()

const MINUTES = 60_000

type Refund = Extract<ReportBody, { kind: 'refund' }>
const refund = (refundId: string, grossCents: number, more: Partial<Refund> = {}): Refund => ({
  kind: 'refund',
  refundId,
  grossCents,
  currency: 'USD',
  state: 'made',
  reason: null,
  ...more,
})
const inAll = (grossCents: number): ReportBody => ({ kind: 'refunded_in_all', grossCents, currency: 'USD' })

/** 119.00 paid, 100.00 without tax, 10.00 of commission. */
const sold: Step = {
  references: ['pi_1', 'ch_1'],
  says: paid(11_900, { netCents: 10_000, source: 'checkout' }),
  attributed: true,
  second: 60,
}
const bare: Step = { references: ['pi_1'], says: paid(11_900), attributed: true, second: 60 }
const refunded = (says: ReportBody, second: number): Step => ({ references: ['ch_1'], says, second })

const givenSold = async () => {
  const shop = await givenPayments(ledger)
  const attribution = await shop.attribution()
  await shop.report(['pi_1', 'ch_1'], paid(11_900, { netCents: 10_000 }), { attribution })
  return shop
}
const payOut = async (shop: Payments) => {
  const { payoutId, lines } = await shop.pay()
  await shop.mark({ payoutId, lineId: lines[0]?.id ?? 0 }, 'paid')
}

describe('refunds reported by the processor', () => {
  test('of 30%, then 60%, then all take the commission to 70%, 40%, 0; repeats change nothing', async () => {
    const shop = await givenSold()
    const after = async (says: ReportBody) => {
      await shop.report(['ch_1'], says)
      await shop.report(['ch_1'], says)
      return (await shop.balance()).payableCents
    }
    expect(await after(refund('re_1', 3_570))).toBe(700)
    expect(await after(refund('re_2', 3_570))).toBe(400)
    expect(await after(inAll(11_900))).toBe(0)
    expect((await shop.verify()).differences).toEqual([])
  })

  test(
    'are reported one by one, as a total, and before the sale, in every order',
    async () => {
      const steps = [
        sold,
        refunded(refund('re_1', 3_000), 70),
        refunded(refund('re_2', 1_000), 80),
        refunded(inAll(4_000), 80),
      ]
      const { balance, sale } = await expectOneOutcome(ledger, steps)
      expect(sale).toMatchObject({ amountCents: 10_000 })
      expect(balance).toMatchObject({ payableCents: 664 })
    },
    5 * MINUTES,
  )

  test(
    'that fail are restored, in every order, also after a total was reported',
    async () => {
      const steps = [
        sold,
        refunded(refund('re_1', 3_000), 70),
        refunded(inAll(3_000), 70),
        refunded(refund('re_1', 3_000, { state: 'failed' }), 90),
      ]
      expect((await expectOneOutcome(ledger, steps)).balance).toMatchObject({ payableCents: 1_000 })
    },
    5 * MINUTES,
  )

  test(
    'apply to tax that is reported later, in every order',
    async () => {
      const steps = [bare, sold, refunded(refund('re_1', 5_950), 70)]
      const { sale, commission, balance } = await expectOneOutcome(ledger, steps)
      expect([sale?.amountCents, commission?.amountCents, balance.payableCents]).toEqual([10_000, 1_000, 500])
    },
    5 * MINUTES,
  )

  test('after a payout are a debt, and a refund that fails settles it', async () => {
    const shop = await givenSold()
    await payOut(shop)
    await shop.report(['ch_1'], refund('re_1', 11_900))
    expect(await shop.balance()).toMatchObject({ payableCents: -1_000, paidCents: 1_000 })
    shop.clock.advance(1_000)
    await shop.report(['ch_1'], refund('re_1', 11_900, { state: 'failed' }))
    expect(await shop.balance()).toMatchObject({ payableCents: 0, paidCents: 1_000 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('reduce an open payout', async () => {
    const shop = await givenSold()
    await shop.pay()
    await shop.report(['ch_1'], refund('re_1', 5_950))
    expect(await shop.balance()).toMatchObject({ batchedCents: 500, payableCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test(
    'after a payout end the same in every order',
    async () => {
      const steps = [
        refunded(refund('re_1', 3_000), 70),
        refunded(refund('re_2', 2_000), 80),
        refunded(refund('re_2', 2_000, { state: 'failed' }), 90),
      ]
      const { balance } = await expectOneOutcome(ledger, steps, {
        first: sold,
        beforeLast: payOut,
        seen: ({ balance }) => ({ balance: balance.payableCents + balance.paidCents }),
      })
      expect(balance).toBe(748)
    },
    5 * MINUTES,
  )

  test('in another currency are rejected and reverse nothing', async () => {
    const shop = await givenSold()
    const result = await shop.report(['ch_1'], refund('re_1', 5_000, { currency: 'EUR' }))
    expect(result).toMatchObject({ outcome: 'refused', reason: 'refund_other_currency' })
    expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
  })

  test('of more than was paid reverse no more than everything', async () => {
    const shop = await givenSold()
    await shop.report(['ch_1'], refund('re_1', 11_900))
    await shop.report(['ch_1'], refund('re_2', 11_900))
    expect(await shop.balance()).toMatchObject({ payableCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })
})

describe("the merchant's own refund call", () => {
  test('finds the sale by any name of the payment', async () => {
    const shop = await givenSold()
    expect(await shop.refund('ch_1', 2_500)).toMatchObject({ refundedCents: 2_500, reversedCents: 250 })
    expect(await shop.refund('pi_1', 2_500)).toMatchObject({ refundedCents: 5_000, reversedCents: 500 })
  })

  test(
    "is the processor's refund if both use the same ID, in every order",
    async () => {
      const steps: Step[] = [
        refunded(refund('re_1', 5_950), 70),
        { api: 'refund', invoiceId: 'ch_1', amount: 5_000, refundId: 're_1' },
      ]
      expect((await expectOneOutcome(ledger, steps, { first: sold })).balance).toMatchObject({ payableCents: 500 })
    },
    5 * MINUTES,
  )

  test('adds up with others, and never exceeds the sale', async () => {
    const shop = await givenSold()
    await shop.refund('pi_1', 6_000, 'my-1')
    await shop.report(['ch_1'], refund('re_1', 5_950))
    expect(await shop.balance()).toMatchObject({ payableCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })
})

describe('a refund before its sale', () => {
  test("waits and is applied by the merchant's sale in its transaction", async () => {
    const shop = await givenPayments(ledger)
    const early = await shop.report(['ch_1', 'pi_1'], refund('re_1', 2_000))
    expect(early).toMatchObject({ outcome: 'waiting', reason: 'refund_before_sale' })
    await shop.sale(await shop.customer(), 10_000, 'pi_1')
    expect(await shop.balance()).toMatchObject({ payableCents: 800 })
    expect(await shop.decisions()).toMatchObject([{ outcome: 'applied', reason: 'refund_recorded' }])
    expect((await shop.verify()).differences).toEqual([])
  })

  test('waits and is applied by a later report of the payment', async () => {
    const shop = await givenPayments(ledger)
    await shop.report(['ch_1', 'pi_1'], refund('re_1', 5_950))
    await shop.report(['pi_1'], paid(11_900, { netCents: 10_000 }), { attribution: await shop.attribution() })
    expect(await shop.balance()).toMatchObject({ payableCents: 500 })
    expect((await shop.decisions()).map(({ outcome }) => outcome)).toEqual(['applied', 'applied'])
  })
})

describe('an amount authorized on a card and never captured', () => {
  const reserved = { neverTakenCents: 4_000 }
  const taken: Step = { ...sold, ...reserved }
  const released = refunded(refund('re_released', 4_000), 61)

  test('is released by a refund that does not reduce the sale, in every order', async () => {
    const charge: Step = { ...refunded(inAll(0), 61), ...reserved }
    const { balance } = await expectOneOutcome(ledger, [taken, released, charge])
    expect(balance).toMatchObject({ payableCents: 1_000 })
  })

  test('is one refund; another of the same amount is a real one', async () => {
    const steps = [taken, released, refunded(refund('re_1', 4_000), 70), { ...refunded(inAll(4_000), 71), ...reserved }]
    const { balance } = await expectOneOutcome(ledger, steps)
    expect(balance).toMatchObject({ payableCents: 1_000 - 336 })
  })

  test('may be everything: then nothing was paid, and the refund waits for no sale', async () => {
    const shop = await givenPayments(ledger)
    const canceled = { neverTakenCents: 11_900 }
    await shop.report(['ch_1', 'pi_1'], refund('re_1', 11_900))
    await shop.report(['ch_1', 'pi_1'], inAll(0), canceled)
    expect(await shop.decisions()).toMatchObject([
      { outcome: 'ignored', reason: 'never_taken' },
      { outcome: 'ignored', reason: 'never_taken' },
    ])
  })
})
