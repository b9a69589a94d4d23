import { describe, expect, test } from 'bun:test'
import { type Candidate, type CreditablePayment, planSale } from '../../src/tracking/payments/plan-sale.ts'

const ORDERS = 20_000

/** The same numbers for the same seed, so that a failure can be repeated. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const shuffled = <Item>(items: Item[], random: (below: number) => number) =>
  items
    .map((item) => ({ item, rank: random(1_000_000) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)

const PAYMENT = { program: { id: 1 }, paid: { currency: 'USD', invoiceId: 'pi_1' } } as CreditablePayment

const givenCandidates = (random: (below: number) => number): Candidate[] =>
  Array.from({ length: random(5) }, (_, index) => ({
    sale: {
      id: index + 1,
      programId: 1 + random(2),
      currency: random(4) === 0 ? 'EUR' : 'USD',
      invoiceId: `in_${index}`,
      clickId: random(2) === 0 ? null : 'click',
      soldAt: new Date(random(3)),
    } as Candidate['sale'],
    hasCommission: random(2) === 0,
    isInPayout: random(5) === 0,
    isForAnotherCustomer: random(3) === 0,
    isDecidedDifferently: random(4) === 0,
  }))

const idsOf = ({ keep, make, merge }: ReturnType<typeof planSale>) => ({
  keep: keep?.sale.id ?? null,
  make,
  merge: merge.map(({ sale }) => sale.id).toSorted(),
})

describe('the plan for the sale of a payment', () => {
  test(`is the same in ${ORDERS} random orders of its sales, keeps what is in a payout and names every sale once`, () => {
    const random = randomFrom(7)
    for (let index = 0; index < ORDERS; index++) {
      const candidates = givenCandidates(random)
      const payment = random(4) === 0 ? null : PAYMENT
      const plan = planSale(candidates, payment)
      expect(idsOf(planSale(shuffled(candidates, random), payment))).toEqual(idsOf(plan))
      const { keep, make, merge } = idsOf(plan)
      expect([...(keep === null ? [] : [keep]), ...merge].toSorted()).toEqual(candidates.map(({ sale }) => sale.id))
      if (candidates.some(({ isInPayout }) => isInPayout)) expect(plan.keep?.isInPayout).toBe(true)
      expect(make === null || keep === null).toBe(true)
    }
  })

  test('changes nothing once it was carried out', () => {
    const random = randomFrom(11)
    for (let index = 0; index < ORDERS; index++) {
      const { keep } = planSale(givenCandidates(random), PAYMENT)
      if (keep) expect(idsOf(planSale([keep], PAYMENT))).toEqual({ keep: keep.sale.id, make: null, merge: [] })
    }
  })
})
