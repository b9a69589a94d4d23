import { describe, expect, test } from 'bun:test'
import { findCommissionRow } from '../../src/money/commissions/list-commissions.ts'
import { sized } from '../support/size.ts'
import { DAY_MS, givenLedger, givenMoney, onlyLine, TEN_PERCENT } from './given-money.ts'

const ledger = await givenLedger()

/** A sale of 1,000 that earned 100, payable immediately. */
const givenSale = async (reward = TEN_PERCENT) => {
  const money = await givenMoney(ledger, reward)
  const sale = await money.sale(await money.customer(), 1_000)
  return { money, ...sale }
}

const expectNoDifferences = async (money: Awaited<ReturnType<typeof givenMoney>>) =>
  expect((await money.verify()).differences).toEqual([])

const stateOf = async ({ programId }: { programId: number }, commissionId: number | null, at = new Date()) =>
  (await findCommissionRow(ledger.db, { programId, at, id: commissionId ?? 0 }))?.state

describe('a dispute', () => {
  test('opened, then won: held, then reinstated to the cent', async () => {
    const { money, invoiceId } = await givenSale()
    await money.dispute(invoiceId, 'open')
    expect(await money.balance()).toMatchObject({ payableCents: 0, heldCents: 0, disputedCents: 100 })
    await expectNoDifferences(money)
    await money.dispute(invoiceId, 'won')
    expect(await money.balance()).toMatchObject({ payableCents: 100, disputedCents: 0 })
    await expectNoDifferences(money)
  })

  test('opened while the commission is held, then won: held again until the same day', async () => {
    const { money, invoiceId } = await givenSale({ ...TEN_PERCENT, holdDays: 30 })
    await money.dispute(invoiceId, 'open')
    await money.dispute(invoiceId, 'won')
    expect(await money.balance()).toMatchObject({ heldCents: 100, payableCents: 0 })
    money.clock.advance(30 * DAY_MS)
    expect(await money.balance()).toMatchObject({ heldCents: 0, payableCents: 100 })
  })

  test('lost: reversed', async () => {
    const { money, invoiceId } = await givenSale()
    await money.dispute(invoiceId, 'open')
    await money.dispute(invoiceId, 'lost')
    expect(await money.balance()).toMatchObject({ payableCents: 0, disputedCents: 0 })
    await expectNoDifferences(money)
  })

  test('after the payout is a debt; won, the debt is gone; lost, it stays', async () => {
    for (const [status, payableCents] of [
      ['won', 0],
      ['lost', -100],
    ] as const) {
      const { money, invoiceId } = await givenSale()
      await money.mark(onlyLine(await money.pay()), 'paid')
      await money.dispute(invoiceId, 'open')
      expect(await money.balance()).toMatchObject({ payableCents: -100, disputedCents: 100, paidCents: 100 })
      await money.dispute(invoiceId, status)
      expect(await money.balance()).toMatchObject({ payableCents, disputedCents: 0, paidCents: 100 })
      await expectNoDifferences(money)
    }
  })

  test('during an open payout takes the commission out of it; won, the next payout has it', async () => {
    const { money, invoiceId, commissionId } = await givenSale()
    const other = await money.sale(await money.customer(), 500)
    const line = onlyLine(await money.pay())
    await money.dispute(invoiceId, 'open')
    expect(await money.balance()).toMatchObject({ batchedCents: 50, payableCents: 0, disputedCents: 100 })
    await money.dispute(invoiceId, 'won')
    expect(await money.balance()).toMatchObject({ batchedCents: 50, payableCents: 100, disputedCents: 0 })
    await money.mark(line, 'paid')
    expect(await stateOf(money, other.commissionId, money.clock.now())).toBe('paid')
    expect(await stateOf(money, commissionId, money.clock.now())).toBe('payable')
    await money.mark(onlyLine(await money.pay()), 'paid')
    expect(await stateOf(money, commissionId, money.clock.now())).toBe('paid')
    expect(await money.balance()).toMatchObject({ batchedCents: 0, payableCents: 0, paidCents: 150 })
    await expectNoDifferences(money)
  })

  test('won during an open payout, then refunded: deducted from the balance it returned to, not from other commissions in the payout', async () => {
    const { money, invoiceId } = await givenSale()
    await money.sale(await money.customer(), 500)
    await money.pay()
    await money.dispute(invoiceId, 'open')
    await money.dispute(invoiceId, 'won')
    await money.refund(invoiceId)
    expect(await money.balance()).toMatchObject({ batchedCents: 50, payableCents: 0 })
    await expectNoDifferences(money)
  })

  test('that is open when a payout is created keeps the commission out of it, even if the partner is named', async () => {
    const { money, invoiceId, commissionId } = await givenSale()
    await money.sale(await money.customer(), 500)
    await money.dispute(invoiceId, 'open')
    await money.mark(onlyLine(await money.pay()), 'paid')
    expect(await money.balance()).toMatchObject({ paidCents: 50, disputedCents: 100 })
    await money.dispute(invoiceId, 'won')
    expect(await stateOf(money, commissionId, money.clock.now())).toBe('payable')
    await money.mark(onlyLine(await money.pay()), 'paid')
    expect(await money.balance()).toMatchObject({ paidCents: 150, payableCents: 0 })
    await expectNoDifferences(money)
  })

  test('with refunds before, during and after it', async () => {
    for (const [status, left] of [
      ['won', 40],
      ['lost', 0],
    ] as const) {
      const { money, invoiceId } = await givenSale()
      await money.refund(invoiceId, 200)
      await money.dispute(invoiceId, 'open')
      expect(await money.balance()).toMatchObject({ payableCents: 0, disputedCents: 80 })
      await money.refund(invoiceId, 300)
      expect(await money.balance()).toMatchObject({ payableCents: 0, disputedCents: 50 })
      await money.dispute(invoiceId, status)
      await money.refund(invoiceId, 100)
      expect(await money.balance()).toMatchObject({ payableCents: left, disputedCents: 0 })
      await expectNoDifferences(money)
    }
  })

  test('of a commission in review returns it to review; a decision made meanwhile holds', async () => {
    const cases = [
      { decide: null, payableCents: 0, reviewCents: 100 },
      { decide: 'released', payableCents: 100, reviewCents: 0 },
      { decide: 'rejected', payableCents: 0, reviewCents: 0 },
    ] as const
    for (const { decide, ...expected } of cases) {
      const money = await givenMoney(ledger)
      const key = await money.customer(0, money.links[0]?.email)
      const { invoiceId, commissionId } = await money.sale(key, 1_000)
      expect(await money.balance()).toMatchObject({ reviewCents: 100 })
      await money.dispute(invoiceId, 'open')
      expect(await money.balance()).toMatchObject({ reviewCents: 0, disputedCents: 100 })
      if (decide) await money.review(commissionId ?? 0, decide)
      await expectNoDifferences(money)
      await money.dispute(invoiceId, 'won')
      expect(await money.balance()).toMatchObject({ ...expected, disputedCents: 0 })
      await expectNoDifferences(money)
    }
  })

  const orders: [order: ('open' | 'won' | 'lost')[], payableCents: number][] = [
    [['open', 'open', 'won', 'won'], 100],
    [['won', 'open'], 100],
    [['lost', 'open'], 0],
    [['lost', 'lost', 'open', 'open'], 0],
    [['open', 'won', 'open'], 100],
    [['open', 'won', 'lost'], 0],
    [['open', 'lost', 'won'], 0],
  ]
  for (const [order, payableCents] of sized({ short: orders.filter((_, index) => index % 3 === 0), long: orders }))
    test(`reported as ${order.join(', ')} ends as lost if any report says lost, and otherwise as won`, async () => {
      const { money, invoiceId } = await givenSale()
      for (const status of order) await money.dispute(invoiceId, status)
      expect(await money.balance()).toMatchObject({ payableCents, disputedCents: 0 })
      await expectNoDifferences(money)
    })

  test('and another: held until both are won, reversed once one is lost', async () => {
    const steps: [dispute: string, status: 'open' | 'won' | 'lost', payableCents: number, disputedCents: number][][] = [
      [
        ['a', 'open', 0, 100],
        ['b', 'open', 0, 100],
        ['a', 'won', 0, 100],
        ['b', 'won', 100, 0],
      ],
      [
        ['a', 'open', 0, 100],
        ['b', 'open', 0, 100],
        ['a', 'lost', 0, 0],
        ['b', 'won', 0, 0],
      ],
      [
        ['a', 'open', 0, 100],
        ['a', 'won', 100, 0],
        ['b', 'open', 0, 100],
        ['b', 'lost', 0, 0],
      ],
    ]
    for (const order of steps) {
      const { money, invoiceId } = await givenSale()
      for (const [dispute, status, payableCents, disputedCents] of order) {
        await money.dispute(invoiceId, status, dispute)
        expect(await money.balance()).toMatchObject({ payableCents, disputedCents })
        await expectNoDifferences(money)
      }
    }
  })

  test('of a sale that is credited only later holds or reverses its commission then', async () => {
    for (const [status, expected] of [
      ['open', { payableCents: 0, disputedCents: 100 }],
      ['won', { payableCents: 100, disputedCents: 0 }],
      ['lost', { payableCents: 0, disputedCents: 0 }],
    ] as const) {
      const money = await givenMoney(ledger)
      const clickId = await money.click()
      const { invoiceId } = await money.sale('late', 1_000)
      await money.dispute(invoiceId, 'open')
      await money.dispute(invoiceId, status)
      await money.lead('late', clickId)
      expect(await money.balance()).toMatchObject(expected)
      await expectNoDifferences(money)
      await money.dispute(invoiceId, 'won')
      expect(await money.balance()).toMatchObject({ payableCents: status === 'lost' ? 0 : 100, disputedCents: 0 })
      await expectNoDifferences(money)
    }
  })
})
