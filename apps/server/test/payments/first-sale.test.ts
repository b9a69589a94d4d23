import { describe, expect, test } from 'bun:test'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { expectEveryDecisionAgain } from '../explain/every-decision.ts'
import { DAY_MS, type Reward } from '../money/given-money.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'
import { ordersOf } from './orders.ts'

const ledger = await givenLedger()

const MINUTES = 60_000
const FIRST: Partial<Reward> = { sale: { percentBps: 1_000, duration: 'first' } }
const TWO_MONTHS: Partial<Reward> = { sale: { percentBps: 1_000, duration: 'months', months: 2 } }

/** Three payments of one customer: of 100.00, 200.00 and 400.00, and further reports about them. */
type Step = 'a' | 'b' | 'c' | 'refundOfB' | 'a is b' | 'pay'

const outcomeOf = async (order: Step[], reward: Partial<Reward>, daysBetween: number) => {
  const shop = await givenPayments(ledger, reward)
  const attribution = await shop.attribution()
  const start = shop.clock.now().getTime()
  const at = (days: number) => new Date(start + days * DAY_MS + 1_000)
  shop.clock.advance(100 * DAY_MS)
  const actions: Record<Step, () => Promise<unknown>> = {
    a: () => shop.report(['pi_a'], paid(10_000), { attribution, at: at(0) }),
    b: () => shop.report(['pi_b'], paid(20_000), { attribution, at: at(daysBetween) }),
    c: () => shop.report(['pi_c'], paid(40_000), { attribution, at: at(2 * daysBetween) }),
    refundOfB: () =>
      shop.report(['pi_b'], { kind: 'refunded_in_all', grossCents: 5_000, currency: 'USD' }, { at: at(99) }),
    'a is b': () => shop.report(['pi_a', 'pi_b'], SAME_PAYMENT, { at: at(99) }),
    pay: () => shop.pay().catch(() => null),
  }
  for (const step of order) await actions[step]()
  expect((await shop.verify()).differences).toEqual([])
  const { payableCents, batchedCents } = await shop.balance()
  return payableCents + batchedCents
}

describe('rewards for the first sales of a customer are the same in every order of reports:', () => {
  test.each<[string, Step[], Partial<Reward>, number, number]>([
    ['the first', ['a', 'b', 'c'], FIRST, 1, 1_000],
    ['the first, with a refund of another', ['a', 'b', 'refundOfB'], FIRST, 1, 1_000],
    ['the first, with two merged', ['a', 'b', 'c', 'a is b'], FIRST, 1, 2_000],
    ['those of two months', ['a', 'b', 'c'], TWO_MONTHS, 32, 3_000],
    ['those of two months, with a refund', ['a', 'b', 'c', 'refundOfB'], TWO_MONTHS, 32, 2_500],
    ['with a payout in between', ['a', 'b', 'pay'], FIRST, 1, 1_000],
  ])(
    '%s',
    async (_, steps, reward, daysBetween, cents) => {
      for (const order of ordersOf(steps))
        expect({ order, cents: await outcomeOf(order, reward, daysBetween) }).toEqual({ order, cents })
      await expectEveryDecisionAgain(ledger.owner)
    },
    5 * MINUTES,
  )

  test('also if the lead comes last', async () => {
    const shop = await givenPayments(ledger, FIRST)
    const { clickId, ...attribution } = await shop.attribution()
    const start = shop.clock.now().getTime()
    shop.clock.advance(DAY_MS)
    const keyOnly = { ...attribution, clickId: null }
    await shop.report(['pi_b'], paid(20_000), { attribution: keyOnly, at: new Date(start + 2_000) })
    await shop.lead(attribution.customerKey, clickId)
    await shop.report(['pi_a'], paid(10_000), { attribution: keyOnly, at: new Date(start + 1_000) })
    expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
    expect((await shop.verify()).differences).toEqual([])
  })
})
