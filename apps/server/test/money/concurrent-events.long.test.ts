import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../src/refusal.ts'
import { sized } from '../support/size.ts'
import { givenLedger, givenMoney, type Money, onlyLine } from './given-money.ts'

const ledger = await givenLedger()

const ROUNDS = sized({ short: 2, long: 12 })

type Given = Awaited<ReturnType<typeof givenSold>>

/** A partner with a sale of 1,000 that earned 100, and another of 500 that earned 50. */
const givenSold = async () => {
  const money = await givenMoney(ledger)
  const key = await money.customer()
  const { invoiceId, commissionId } = await money.sale(key, 1_000)
  await money.sale(key, 500)
  return { money, key, invoiceId, commissionId: commissionId ?? 0 }
}

/** Runs all calls concurrently; a refusal is a valid outcome, any other error is a bug. */
const together = async (...calls: (() => Promise<unknown>)[]) => {
  const order = Math.random() < 0.5 ? calls : calls.toReversed()
  const ends = await Promise.allSettled(order.map((call) => call()))
  for (const end of ends) if (end.status === 'rejected' && !(end.reason instanceof Refusal)) throw end.reason
  return ends.filter(({ status }) => status === 'fulfilled').length
}

/** In any order, nothing is lost or doubled and every rule of ledger:verify holds. */
const expectSum = async (money: Money, expected: number) => {
  const { heldCents, payableCents, batchedCents, paidCents, reviewCents, disputedCents } = await money.balance()
  expect(heldCents + payableCents + batchedCents + paidCents + reviewCents + disputedCents).toBe(expected)
  await money.seal()
  expect((await money.verify(new Date(money.clock.now().getTime() + 1))).differences).toEqual([])
  return { heldCents, payableCents, batchedCents, paidCents, reviewCents, disputedCents }
}

/** Several programs concurrently, so that the rounds interfere with each other. */
const rounds = (given: () => Promise<Given>, round: (given: Given) => Promise<void>) => async () => {
  const all = await Promise.all(Array.from({ length: ROUNDS }, given))
  await Promise.all(all.map(round))
}

const givenOpenPayout = async () => {
  const sold = await givenSold()
  return { ...sold, line: onlyLine(await sold.money.pay()) }
}

describe('two concurrent money events', () => {
  test(
    'refund and refund: both count, and never beyond the sale',
    rounds(givenSold, async ({ money, invoiceId }) => {
      const taken = await together(...Array.from({ length: 5 }, () => () => money.refund(invoiceId, 300)))
      expect(taken).toBe(3)
      await expectSum(money, 150 - 90)
    }),
  )

  test(
    'refund and the same refund: one counts',
    rounds(givenSold, async ({ money, invoiceId }) => {
      await together(...Array.from({ length: 4 }, () => () => money.refund(invoiceId, 300, 'r-1')))
      await expectSum(money, 150 - 30)
    }),
  )

  test(
    'one refund_id for two sales: one succeeds, the other gets a refusal that says so',
    rounds(givenSold, async ({ money, key, invoiceId }) => {
      const other = await money.sale(key, 1_000)
      const taken = await together(
        () => money.refund(invoiceId, 300, 'r-1'),
        () => money.refund(other.invoiceId, 300, 'r-1'),
      )
      expect(taken).toBe(1)
      await expectSum(money, 250 - 30)
    }),
  )

  test(
    'refund and payout: the refund reduces the balance or the batch, and never becomes a debt',
    rounds(givenSold, async ({ money, invoiceId }) => {
      await together(
        () => money.refund(invoiceId),
        () => money.pay(),
      )
      const { payableCents, batchedCents } = await expectSum(money, 50)
      expect([payableCents, batchedCents].toSorted()).toEqual([0, 50])
    }),
  )

  for (const status of ['paid', 'failed'] as const)
    test(`refund and a line marked ${status}`, async () => {
      await Promise.all(
        Array.from({ length: ROUNDS }, async () => {
          const { money, invoiceId, line } = await givenOpenPayout()
          await together(
            () => money.refund(invoiceId),
            () => money.mark(line, status),
          )
          const { paidCents, payableCents, batchedCents } = await expectSum(money, 50)
          expect(batchedCents).toBe(0)
          const outcomes = status === 'paid' ? ['50 0', '150 -100'] : ['0 50']
          expect(outcomes).toContain(`${paidCents} ${payableCents}`)
        }),
      )
    })

  test(
    'dispute and refund',
    rounds(givenSold, async ({ money, invoiceId }) => {
      await together(
        () => money.dispute(invoiceId, 'open'),
        () => money.refund(invoiceId, 400),
      )
      expect(await expectSum(money, 110)).toMatchObject({ disputedCents: 60, payableCents: 50 })
      await together(
        () => money.dispute(invoiceId, 'won'),
        () => money.refund(invoiceId, 100),
      )
      expect(await expectSum(money, 100)).toMatchObject({ disputedCents: 0, payableCents: 100 })
    }),
  )

  test(
    'dispute and dispute, opened, closed and reported twice',
    rounds(givenSold, async ({ money, invoiceId }) => {
      await together(
        ...(['open', 'lost', 'won', 'open'] as const).map((status) => () => money.dispute(invoiceId, status)),
        () => money.dispute(invoiceId, 'open', 'd-2'),
        () => money.dispute(invoiceId, 'won', 'd-2'),
      )
      const { payableCents, disputedCents } = await money.balance()
      expect(disputedCents).toBe(0)
      expect([50, 150]).toContain(payableCents)
      await expectSum(money, payableCents)
    }),
  )

  for (const status of ['open', 'won', 'lost'] as const)
    test(
      `dispute with status ${status} and payout`,
      rounds(givenSold, async ({ money, invoiceId }) => {
        if (status !== 'open') await money.dispute(invoiceId, 'open')
        await together(
          () => money.dispute(invoiceId, status),
          () => money.pay(),
        )
        const after = await expectSum(money, status === 'lost' ? 50 : 150)
        expect(after.disputedCents).toBe(status === 'open' ? 100 : 0)
        expect(after.payableCents).toBeGreaterThanOrEqual(0)
      }),
    )

  test('dispute and a line marked paid', async () => {
    await Promise.all(
      Array.from({ length: ROUNDS }, async () => {
        const { money, invoiceId, line } = await givenOpenPayout()
        await together(
          () => money.dispute(invoiceId, 'open'),
          () => money.mark(line, 'paid'),
        )
        const { paidCents, payableCents, disputedCents } = await expectSum(money, 150)
        expect(disputedCents).toBe(100)
        expect(['50 0', '150 -100']).toContain(`${paidCents} ${payableCents}`)
      }),
    )
  })

  test('late credit with a refund and a dispute', async () => {
    await Promise.all(
      Array.from({ length: ROUNDS }, async () => {
        const money = await givenMoney(ledger)
        const clickId = await money.click()
        const sales = [await money.sale('late', 1_000), await money.sale('late', 500)]
        await together(
          () => money.lead('late', clickId),
          () => money.refund(sales[0]?.invoiceId ?? '', 300),
          () => money.dispute(sales[1]?.invoiceId ?? '', 'open'),
          () => money.sale('late', 200),
        )
        expect(await expectSum(money, 70 + 50 + 20)).toMatchObject({ disputedCents: 50 })
      }),
    )
  })

  test(
    'payout and payout: one batch',
    rounds(givenSold, async ({ money }) => {
      expect(await together(...Array.from({ length: 5 }, () => () => money.pay()))).toBe(1)
      expect(await expectSum(money, 150)).toMatchObject({ batchedCents: 150 })
    }),
  )

  test('payouts of several partners with incoming sales and refunds', async () => {
    const money = await givenMoney(ledger, undefined, 4)
    const keys = [await money.customer(0), await money.customer(1), await money.customer(2), await money.customer(3)]
    const first = await Promise.all(keys.map((key) => money.sale(key, 1_000)))
    await together(
      ...keys.map((key) => () => money.sale(key, 3_000)),
      ...first.map(
        ({ invoiceId }) =>
          () =>
            money.refund(invoiceId, 500),
      ),
      ...Array.from({ length: 4 }, () => () => money.pay()),
    )
    for (const partner of [0, 1, 2, 3]) {
      const { payableCents, batchedCents } = await money.balance(partner)
      expect(payableCents + batchedCents).toBe(350)
      expect(payableCents).toBeGreaterThanOrEqual(0)
    }
    expect((await money.verify()).differences).toEqual([])
  })

  test('a line marked paid and failed: the first wins', async () => {
    await Promise.all(
      Array.from({ length: ROUNDS }, async () => {
        const { money, line } = await givenOpenPayout()
        await together(
          () => money.mark(line, 'paid'),
          () => money.mark(line, 'failed'),
          () => money.mark(line, 'paid'),
        )
        const { paidCents, payableCents } = await expectSum(money, 150)
        expect([paidCents, payableCents].toSorted((a, b) => a - b)).toEqual([0, 150])
      }),
    )
  })

  for (const decision of ['released', 'rejected'] as const)
    test(`a review ${decision}, a refund and a dispute`, async () => {
      await Promise.all(
        Array.from({ length: ROUNDS }, async () => {
          const money = await givenMoney(ledger)
          const { invoiceId, commissionId } = await money.sale(await money.customer(0, money.links[0]?.email), 1_000)
          await together(
            () => money.review(commissionId ?? 0, decision),
            () => money.refund(invoiceId, 400),
            () => money.dispute(invoiceId, 'open'),
          )
          await expectSum(money, decision === 'released' ? 60 : 0)
          await money.dispute(invoiceId, 'won')
          const after = await expectSum(money, decision === 'released' ? 60 : 0)
          expect(after.payableCents).toBe(decision === 'released' ? 60 : 0)
        }),
      )
    })

  test('a review released and rejected: one decision wins', async () => {
    await Promise.all(
      Array.from({ length: ROUNDS }, async () => {
        const money = await givenMoney(ledger)
        const { commissionId } = await money.sale(await money.customer(0, money.links[0]?.email), 1_000)
        const decided = await together(
          () => money.review(commissionId ?? 0, 'released'),
          () => money.review(commissionId ?? 0, 'rejected'),
        )
        expect(decided).toBe(1)
        const { payableCents } = await money.balance()
        await expectSum(money, payableCents)
      }),
    )
  })

  test('a change of terms and sales of one customer: each under a version in force, the first paid once', async () => {
    await Promise.all(
      Array.from({ length: ROUNDS }, async () => {
        const money = await givenMoney(ledger, { sale: { percentBps: 1_000, duration: 'lifetime' } })
        const key = await money.customer()
        money.clock.run()
        await together(
          () => money.changeTerms({ sale: { amountCents: 77, duration: 'first' } }),
          ...Array.from({ length: 4 }, () => () => money.sale(key, 1_000)),
          () => money.changeTerms({ sale: { percentBps: 2_000, duration: 'months', months: 1 } }),
        )
        const { payableCents } = await money.balance()
        await expectSum(money, payableCents)
      }),
    )
  })
})
