import { describe, expect, test } from 'bun:test'
import type { RewardRule, RuleConditions } from '@tributary/contract'
import fc from 'fast-check'
import { UNTOUCHED } from '../../src/money/commissions/commission-rules.ts'
import { evaluateCustomer, type Loss, type SaleEvent } from '../../src/money/commissions/evaluate.ts'
import { prorate, reversedCents, type Terms } from '../../src/money/rewards/rewards.ts'
import { applyRules, itemsOfSale, type SaleForRules, whyUnmatched } from '../../src/money/rewards/rules.ts'

const ON = new Date('2026-01-31T00:00:00Z')
const DAY_MS = 86_400_000
const after = (days: number) => new Date(ON.getTime() + days * DAY_MS)
const SALE: SaleForRules = { amountCents: 1_000, currency: 'USD', soldAt: ON, firstSoldAt: null }
const ITEM = { productId: 'p', planId: 'price', interval: 'month' as const, amountCents: 1_000 }

describe('each condition of a rule', () => {
  const table: [RuleConditions, Partial<SaleForRules>, Partial<typeof ITEM> | object, string | null][] = [
    [{ products: ['p', 'q'] }, {}, {}, null],
    [{ products: ['q'] }, {}, {}, 'other_product'],
    [{ products: ['p'] }, {}, { productId: null }, 'other_product'],
    [{ plans: ['price'] }, {}, {}, null],
    [{ plans: ['other'] }, {}, {}, 'other_plan'],
    [{ interval: 'month' }, {}, {}, null],
    [{ interval: 'year' }, {}, {}, 'other_interval'],
    [{ interval: 'one_time' }, {}, { interval: null }, 'other_interval'],
    [{ payment: 'first' }, {}, {}, null],
    [{ payment: 'first' }, { firstSoldAt: ON }, {}, 'not_first_payment'],
    [{ payment: 'renewal' }, {}, {}, 'first_payment'],
    [{ payment: 'renewal' }, { firstSoldAt: ON }, {}, null],
    [{ currencies: ['EUR', 'USD'] }, {}, {}, null],
    [{ currencies: ['EUR'] }, {}, {}, 'other_currency'],
    [{ countries: ['DE'] }, { country: 'DE' }, {}, null],
    [{ countries: ['DE'] }, { country: 'US' }, {}, 'other_country'],
    [{ countries: ['DE'] }, {}, {}, 'other_country'],
    [{ minAmountCents: 1_000 }, {}, {}, null],
    [{ minAmountCents: 1_001 }, {}, {}, 'amount_below_minimum'],
    [{ products: ['p'], interval: 'year' }, {}, {}, 'other_interval'],
  ]
  for (const [when, sale, item, reason] of table)
    test(`${JSON.stringify(when)} and ${JSON.stringify({ ...sale, ...item })}: ${reason ?? 'matches'}`, () => {
      expect(whyUnmatched(when, { ...SALE, ...sale }, { ...ITEM, ...item })).toBe(reason as never)
    })
})

const earned = (saleRules: RewardRule[], sale: Partial<SaleForRules> = {}) =>
  applyRules({ saleRules, currency: 'USD' }, { ...SALE, ...sale })

describe('stages, flat amounts and maximums', () => {
  test('a stage has its own length, the next begins where it ends, and the last day of a month counts as one', () => {
    const rules = [
      {
        pays: [
          { months: 1, percentBps: 3000 },
          { months: 1, percentBps: 2000 },
        ],
      },
    ]
    const at = (day: string) =>
      earned(rules, { soldAt: new Date(`2026-${day}T00:00:00Z`), firstSoldAt: ON }).amountCents
    expect(['01-31', '02-27', '02-28', '03-30', '03-31'].map(at)).toEqual([300, 300, 200, 200, 0])
  })

  test('a flat amount pays once per sale, for the first item that matches', () => {
    const parts = [ITEM, ITEM, { ...ITEM, productId: 'q' }].map((item) => ({ ...item, amountCents: 200 }))
    const rules = [{ when: { products: ['p'] }, pays: [{ amountCents: 500 }] }]
    const decision = earned(rules, { items: { totalCents: 1_000, parts } })
    expect(decision.amountCents).toBe(500)
    expect(decision.items.map(({ reason }) => reason)).toEqual([
      null,
      'flat_paid_once',
      'no_rule_matches',
      'no_rule_matches',
    ])
  })

  test('flat amounts alone pay in the currency of the terms; among percentages only in that of the sale', () => {
    expect(earned([{ pays: [{ amountCents: 500 }] }], { currency: 'EUR' })).toMatchObject({
      amountCents: 500,
      currency: 'USD',
    })
    const mixed = [{ when: { payment: 'first' as const }, pays: [{ amountCents: 500 }] }, { pays: [{ percentBps: 1 }] }]
    expect(earned(mixed, { currency: 'EUR' })).toMatchObject({ amountCents: 0, currency: 'EUR' })
    expect(earned(mixed)).toMatchObject({ amountCents: 500, currency: 'USD' })
  })

  test('maximums cut the sum of a rule, not of the sale', () => {
    const rules = [
      { when: { products: ['p'] }, pays: [{ percentBps: 5000 }], maxPerSaleCents: 100 },
      { pays: [{ percentBps: 1000 }], maxPerCustomerCents: 60 },
    ]
    const items = { totalCents: 1_000, parts: [{ ...ITEM, amountCents: 400 }] }
    expect(earned(rules, { items, used: [{ rule: 1, cents: 25 }] }).rules).toEqual([
      { rule: 0, earnedCents: 200, paidCents: 100, cutBy: 'sale' },
      { rule: 1, earnedCents: 60, paidCents: 35, cutBy: 'customer' },
    ])
  })
})

const cents = fc.integer({ min: 0, max: 100_000 })
const product = fc.constantFrom('a', 'b', 'c', null)
const part = fc.record({
  productId: product,
  planId: fc.constantFrom('x', null),
  interval: fc.constantFrom('month' as const, 'year' as const, null),
  amountCents: cents,
})
const rule: fc.Arbitrary<RewardRule> = fc.record(
  {
    when: fc.record(
      { products: fc.constantFrom(['a'], ['b', 'c']), interval: fc.constantFrom('month' as const, 'year' as const) },
      { requiredKeys: [] },
    ),
    pays: fc.constantFrom(
      [],
      [{ percentBps: 1_234 }],
      [{ amountCents: 77 }],
      [{ months: 2, percentBps: 3_333 }, { percentBps: 999 }],
    ),
    maxPerSaleCents: fc.integer({ min: 1, max: 3_000 }),
  },
  { requiredKeys: ['pays'] },
)

describe('any items under any rules', () => {
  test('add up to the sale without tax, whatever the tax', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), cents, cents, (parts, rest, tax) => {
        const totalCents = parts.reduce((sum, one) => sum + one.amountCents, 0) + rest
        const amountCents = Math.max(0, totalCents - tax)
        const net = itemsOfSale({ items: { totalCents, parts }, amountCents })
        expect(net.reduce((sum, one) => sum + one.amountCents, 0)).toBe(amountCents)
        for (const [index, one] of net.entries()) {
          expect(one.amountCents).toBeGreaterThanOrEqual(0)
          const gross = parts[index]?.amountCents ?? rest
          const exact = totalCents === 0 ? 0 : (gross * amountCents) / totalCents
          expect(Math.abs(one.amountCents - exact)).toBeLessThan(1)
        }
      }),
    )
  })

  test('pay parts that add up to the commission, which is rounded once and never above a maximum', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.array(rule, { minLength: 1, maxLength: 6 }),
        (parts, saleRules) => {
          const totalCents = parts.reduce((sum, one) => sum + one.amountCents, 0)
          const { amountCents, rules, items } = earned(saleRules, {
            amountCents: totalCents,
            items: { totalCents, parts },
          })
          expect(rules.reduce((sum, one) => sum + one.paidCents, 0)).toBe(amountCents)
          for (const one of rules)
            expect(one.paidCents).toBeLessThanOrEqual(saleRules[one.rule]?.maxPerSaleCents ?? Number.MAX_SAFE_INTEGER)
          if (saleRules.some(({ maxPerSaleCents }) => maxPerSaleCents)) return
          const exact = items.reduce((sum, { item, rule: number, stage, reason }) => {
            const paying =
              reason === null && number !== null && stage !== null ? saleRules[number]?.pays[stage] : undefined
            if (!paying) return sum
            return (
              sum +
              (paying.percentBps === undefined
                ? (paying.amountCents ?? 0) * 10_000
                : item.amountCents * paying.percentBps)
            )
          }, 0)
          expect(amountCents).toBe(prorate(exact, 1, 10_000))
        },
      ),
    )
  })
})

describe('a maximum per customer, for any history of sales, refunds and disputes', () => {
  const MAXIMUM = 1_000
  const terms: Terms = {
    version: 1,
    currency: 'USD',
    leadAmountCents: null,
    salePercentBps: null,
    saleAmountCents: null,
    saleDuration: null,
    saleMonths: null,
    saleRules: [{ pays: [{ percentBps: 1_000 }], maxPerCustomerCents: MAXIMUM }],
    holdDays: 0,
  }
  const sale = fc.record({
    day: fc.integer({ min: 0, max: 20 }),
    saleCents: fc.integer({ min: 1, max: 12_000 }),
    partnerId: fc.constantFrom(1, 1, 1, 2),
    lost: fc.array(
      fc.record({
        days: fc.integer({ min: 0, max: 10 }),
        share: fc.integer({ min: 0, max: 100 }),
        isOver: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
  })
  const toEvent = (
    { day, saleCents, partnerId, lost }: typeof sale extends fc.Arbitrary<infer T> ? T : never,
    index: number,
  ): SaleEvent => {
    const losses: Loss[] = lost
      .toSorted((a, b) => a.days - b.days)
      .map(({ days, share, isOver }) => ({
        lostAt: new Date(after(day + days).getTime() + 1),
        saleCents,
        lostCents: Math.floor((saleCents * share) / 100),
        isOver,
      }))
    const last = losses.at(-1)
    return {
      kind: 'sale',
      id: index + 1,
      partnerId,
      currency: 'USD',
      soldAt: after(day),
      saleCents,
      refundedCents: last?.lostCents ?? 0,
      openCents: 0,
      lostCents: 0,
      items: null,
      country: null,
      losses,
      firstSoldBefore: null,
      review: last?.isOver ? 'rejected' : 'none',
      manual: UNTOUCHED,
    }
  }

  test('each sale earns what its earlier ones have left at that moment, in whatever order the events are read', () => {
    fc.assert(
      fc.property(fc.array(sale, { maxLength: 8 }), fc.integer(), (sales, seed) => {
        const events = sales.map(toEvent)
        const shuffled = events.toSorted((a, b) => ((a.id * 7919) ^ seed) - ((b.id * 7919) ^ seed))
        const facts = (list: SaleEvent[]) => ({ lead: null, firstSoldBefore: null, sales: list })
        const evaluated = evaluateCustomer(facts(events), () => terms).sales
        expect(evaluateCustomer(facts(shuffled), () => terms).sales).toEqual(evaluated)
        const paid = evaluated.map(({ reward }) => (typeof reward === 'string' ? 0 : reward.amountCents))
        for (const [index, { event }] of evaluated.entries()) {
          const before = evaluated.slice(0, index).reduce((sum, { event: earlier }, position) => {
            if (earlier.partnerId !== event.partnerId) return sum
            const loss = earlier.losses.findLast(({ lostAt }) => lostAt < event.soldAt)
            if (!loss) return sum + (paid[position] ?? 0)
            const cut = loss.isOver
              ? (paid[position] ?? 0)
              : reversedCents(paid[position] ?? 0, loss.lostCents, loss.saleCents)
            return sum + (paid[position] ?? 0) - cut
          }, 0)
          expect(paid[index]).toBe(Math.min(prorate(event.saleCents, 1_000, 10_000), Math.max(0, MAXIMUM - before)))
        }
      }),
    )
  })

  test('a later reversal changes no earlier sale', () => {
    const events = [0, 1, 2].map((day) => toEvent({ day, saleCents: 8_000, partnerId: 1, lost: [] }, day))
    const earnedBy = (list: SaleEvent[]) =>
      evaluateCustomer({ lead: null, firstSoldBefore: null, sales: list }, () => terms).sales.map(({ reward }) =>
        typeof reward === 'string' ? reward : reward.amountCents,
      )
    expect(earnedBy(events)).toEqual([800, 200, 'maximum_reached'])
    const refunded = toEvent(
      { day: 0, saleCents: 8_000, partnerId: 1, lost: [{ days: 2, share: 100, isOver: false }] },
      0,
    )
    expect(earnedBy([refunded, ...events.slice(1)])).toEqual([800, 200, 'maximum_reached'])
    const later = toEvent({ day: 3, saleCents: 8_000, partnerId: 1, lost: [] }, 3)
    expect(earnedBy([refunded, ...events.slice(1), later])).toEqual([800, 200, 'maximum_reached', 800])
  })
})
