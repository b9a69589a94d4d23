import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { balanceOf, type Standing, standingOf } from '../../src/money/commissions/commission-rules.ts'
import {
  type CreditedEvent,
  type CustomerFacts,
  evaluateCredited,
  evaluateCustomer,
  type SaleEvent,
} from '../../src/money/commissions/evaluate.ts'
import { type Booked, movesBetween } from '../../src/money/commissions/ledger-moves.ts'
import type { Terms } from '../../src/money/rewards/rewards.ts'
import { sized } from '../support/size.ts'

/** A million orders take minutes. */
setDefaultTimeout(sized({ short: 90_000, long: 1_200_000 }))

const ON = new Date('2026-03-01T00:00:00Z')
const LATER = new Date('2026-03-08T00:00:00Z')

const standing = fc
  .tuple(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000))
  .map(([disputed, review, balance]): Standing => ({ promised: disputed + review + balance, disputed, review }))
const openLines = fc
  .array(fc.nat(600), { maxLength: 3 })
  .map((cents) => cents.map((each, index) => ({ id: index + 1, cents: each })))

/** Where the ledger lines leave a commission, on each day. */
const after = (booked: Booked, moves: ReturnType<typeof movesBetween>) => {
  const sums = new Map<string, number>()
  const add = (account: string, at: Date, cents: number) => {
    const key = `${at.toISOString()} ${account === 'batched' ? 'earned' : account}`
    sums.set(key, (sums.get(key) ?? 0) + cents)
  }
  add('program', booked.payableAt, -booked.promised)
  add('disputed', booked.payableAt, booked.disputed)
  add('review', booked.payableAt, booked.review)
  add('earned', booked.payableAt, balanceOf(booked))
  for (const { fromAccount, toAccount, amountCents, availableAt } of moves) {
    add(fromAccount, availableAt, -amountCents)
    add(toAccount, availableAt, amountCents)
  }
  return Object.fromEntries([...sums].filter(([, cents]) => cents !== 0))
}

const expected = (wanted: Standing, at: Date) =>
  Object.fromEntries(
    Object.entries({
      program: -wanted.promised,
      disputed: wanted.disputed,
      review: wanted.review,
      earned: balanceOf(wanted),
    })
      .filter(([, cents]) => cents !== 0)
      .map(([account, cents]) => [`${at.toISOString()} ${account}`, cents]),
  )

describe('the lines from a commission’s booked state to its target', () => {
  test('lead there, to the cent, and applying them again adds none', () => {
    fc.assert(
      fc.property(standing, standing, openLines, fc.boolean(), (from, to, lines, isMoved) => {
        const booked = { ...from, payableAt: ON, openLines: lines }
        const wanted = { ...to, payableAt: isMoved ? LATER : ON }
        const moves = movesBetween(booked, wanted)
        expect(after(booked, moves)).toEqual(expected(wanted, wanted.payableAt))
        expect(movesBetween({ ...booked, ...wanted }, wanted)).toEqual([])
        for (const move of moves) expect(move.amountCents).toBeGreaterThan(0)
      }),
      { numRuns: sized({ short: 2_000, long: 100_000 }) },
    )
  })

  test('debit an open payout line before the balance, and never more than it reserves', () => {
    fc.assert(
      fc.property(standing, standing, openLines, (from, to, lines) => {
        const moves = movesBetween({ ...from, payableAt: ON, openLines: lines }, { ...to, payableAt: ON })
        const taken = (id: number | null) =>
          moves
            .filter(
              ({ payoutLineId, fromAccount }) => payoutLineId === id && ['earned', 'batched'].includes(fromAccount),
            )
            .reduce((sum, { amountCents }) => sum + amountCents, 0)
        for (const { id, cents } of lines) expect(taken(id)).toBeLessThanOrEqual(cents)
        if (taken(null) > 0) for (const { id, cents } of lines) expect(taken(id)).toBe(cents)
      }),
      { numRuns: sized({ short: 1_000, long: 50_000 }) },
    )
  })
})

type Fact =
  | { kind: 'sale'; id: number; day: number; cents: number; partnerId: number }
  | { kind: 'refund'; sale: number; refundId: number; cents: number }
  | { kind: 'dispute'; sale: number; disputeId: number; cents: number; state: 'open' | 'won' | 'lost' }
  | { kind: 'review'; sale: number; decision: 'released' | 'rejected' }
  | { kind: 'void'; sale: number; id: number; partnerId: number | null; isUndone: boolean }
  | { kind: 'assign'; sale: number; id: number; partnerId: number; isUndone: boolean }

const SALES = 4
const sale = fc.nat(SALES - 1)
const cents = fc.integer({ min: 1, max: 50_000 })
const fact: fc.Arbitrary<Fact> = fc.oneof(
  fc.record({
    kind: fc.constant('sale' as const),
    id: sale,
    day: fc.nat(60),
    cents,
    partnerId: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({ kind: fc.constant('refund' as const), sale, refundId: fc.nat(5), cents }),
  fc.record({
    kind: fc.constant('dispute' as const),
    sale,
    disputeId: fc.nat(2),
    cents,
    state: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
  }),
  fc.record({
    kind: fc.constant('review' as const),
    sale,
    decision: fc.constantFrom('released' as const, 'rejected' as const),
  }),
  fc.record({
    kind: fc.constant('assign' as const),
    sale,
    id: fc.nat(20),
    partnerId: fc.integer({ min: 1, max: 3 }),
    isUndone: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('void' as const),
    sale,
    id: fc.nat(20),
    partnerId: fc.option(fc.integer({ min: 1, max: 3 })),
    isUndone: fc.boolean(),
  }),
)

/** One fact has one identifier: of two that share it the first generated one is kept. */
const history = fc.array(fact, { minLength: 2, maxLength: 14 }).map((facts) => {
  const nameOf = (one: Fact) =>
    one.kind === 'sale'
      ? `sale ${one.id}`
      : one.kind === 'refund'
        ? `refund ${one.sale} ${one.refundId}`
        : one.kind === 'dispute'
          ? `dispute ${one.sale} ${one.disputeId} ${one.state}`
          : one.kind === 'review'
            ? `review ${one.sale}`
            : `adjustment ${one.id}`
  return [...new Map(facts.toReversed().map((one) => [nameOf(one), one])).values()]
})

const terms = fc.record({
  saleDuration: fc.constantFrom('first' as const, 'months' as const, 'lifetime' as const),
  salePercentBps: fc.integer({ min: 1, max: 10_000 }),
  holdDays: fc.nat(40),
})

const DAY_MS = 86_400_000
const STATES = ['open', 'won', 'lost'] as const

/** What a set of facts says about a customer's sales. */
const factsOf = (facts: Fact[]): CustomerFacts => {
  const of = <Kind extends Fact['kind']>(kind: Kind, id: number) =>
    facts.filter((one): one is Extract<Fact, { kind: Kind }> => one.kind === kind && 'sale' in one && one.sale === id)
  const sales = facts.flatMap((one): SaleEvent[] => {
    if (one.kind !== 'sale') return []
    const disputes = Map.groupBy(of('dispute', one.id), ({ disputeId }) => disputeId)
    const disputed = (state: 'open' | 'lost') =>
      [...disputes.values()]
        .filter((group) => STATES[Math.max(...group.map((each) => STATES.indexOf(each.state)))] === state)
        .reduce((sum, group) => sum + Math.max(...group.map((each) => each.cents)), 0)
    const most = (sum: number) => Math.min(one.cents, sum)
    return [
      {
        kind: 'sale',
        id: one.id,
        partnerId: one.partnerId,
        currency: 'USD',
        firstSoldBefore: null,
        items: null,
        country: null,
        losses: [],
        soldAt: new Date(ON.getTime() + one.day * DAY_MS),
        saleCents: one.cents,
        refundedCents: most(of('refund', one.id).reduce((sum, refund) => sum + refund.cents, 0)),
        openCents: most(disputed('open')),
        lostCents: most(disputed('lost')),
        review: of('review', one.id)[0]?.decision ?? 'none',
        manual: {
          isUndone: false,
          creditId: null,
          credits: of('assign', one.id),
          isVoided: of('void', one.id).some(({ partnerId, isUndone }) => partnerId === null && !isUndone),
        },
      },
    ]
  })
  return { lead: null, sales, firstSoldBefore: null }
}

/** What members' decisions say about the same sales: each is an event of its own. */
const creditedOf = (facts: Fact[]): CreditedEvent[] =>
  factsOf(facts).sales.flatMap(({ manual, kind: _, firstSoldBefore: __, ...sale }) =>
    facts.flatMap((one): CreditedEvent[] => {
      if (one.kind !== 'assign' || one.sale !== sale.id) return []
      const isVoided = facts.some(
        (each) => each.kind === 'void' && each.sale === sale.id && each.partnerId === one.partnerId && !each.isUndone,
      )
      const { id, partnerId } = one
      const own = { ...manual, isVoided, creditId: id }
      return [{ ...sale, kind: 'credited', id: 100 + id, partnerId, review: 'none', isMerged: false, manual: own }]
    }),
  )

describe('the facts of a customer in any order, with repeats', () => {
  test('end in the same commissions, and the lines on the way add up to them', () => {
    const orders = sized({ short: 10, long: 100 })
    let tried = 0
    fc.assert(
      fc.property(
        history,
        terms,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (facts, some, chance) => {
          const held: Terms = {
            version: 1,
            currency: 'USD',
            leadAmountCents: null,
            saleAmountCents: null,
            saleMonths: 1,
            ...some,
          }
          const evaluate = (set: Fact[]): Evaluated => [
            ...evaluateCustomer(factsOf(set), () => held).sales,
            ...creditedOf(set).map((event) => evaluateCredited(event, () => held)),
          ]
          const wanted = standingsOf(evaluate(facts))
          expectOneOwner(facts, wanted)
          for (let order = 0; order < orders; order++) {
            tried++
            expect(bookAll(shuffled(facts, chance), evaluate)).toEqual(wanted)
          }
        },
      ),
      { numRuns: sized({ short: 500, long: 10_000 }) },
    )
    expect(tried).toBe(sized({ short: 5_000, long: 1_000_000 }))
  })
})

type Evaluated = { event: { id: number }; standing: Standing }[]

/** At most one commission of a sale stands, and the last decision that was not undone says for which partner. */
const expectOneOwner = (facts: Fact[], standings: Record<string, Standing>) => {
  for (const { id } of factsOf(facts).sales) {
    const credits = facts.filter((one) => one.kind === 'assign' && one.sale === id) as {
      id: number
      isUndone: boolean
    }[]
    const last = Math.max(-1, ...credits.filter(({ isUndone }) => !isUndone).map((one) => one.id))
    const promised = (key: number) => standings[key]?.promised ?? 0
    if (last >= 0) expect(promised(id)).toBe(0)
    for (const credit of credits) if (credit.id !== last) expect(promised(100 + credit.id)).toBe(0)
  }
}

const standingsOf = (sales: Evaluated) => Object.fromEntries(sales.map(({ event, standing }) => [event.id, standing]))

/** Adds duplicates of a third of them and shuffles the result. */
const shuffled = (facts: Fact[], chance: Iterator<number>): Fact[] => {
  const next = () => chance.next().value as number
  return [...facts, ...facts.filter(() => next() < 0.3)]
    .map((one) => ({ one, place: next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one)
}

/** Books after every fact, as the service does, and returns the resulting state of every commission. */
const bookAll = (order: Fact[], evaluate: (set: Fact[]) => Evaluated) => {
  const seen = new Set<Fact>()
  const books = new Map<number, Booked>()
  for (const one of order) {
    seen.add(one)
    for (const { event, standing } of evaluate([...seen])) {
      const booked = books.get(event.id) ?? { promised: 0, disputed: 0, review: 0, payableAt: ON, openLines: [] }
      const sum = sumOf(booked, movesBetween(booked, { ...standing, payableAt: ON }))
      books.set(event.id, { ...booked, ...sum })
    }
  }
  return Object.fromEntries(
    [...books].map(([id, { promised, disputed, review }]) => [id, { promised, disputed, review }]),
  )
}

const sumOf = (booked: Standing, moves: ReturnType<typeof movesBetween>): Standing => {
  const sum = { ...booked }
  for (const { fromAccount, toAccount, amountCents } of moves) {
    if (fromAccount === 'program') sum.promised += amountCents
    if (toAccount === 'program') sum.promised -= amountCents
    for (const account of ['disputed', 'review'] as const) {
      if (fromAccount === account) sum[account] -= amountCents
      if (toAccount === account) sum[account] += amountCents
    }
  }
  return { promised: sum.promised, disputed: sum.disputed, review: sum.review }
}

describe('the state of a commission', () => {
  const facts = {
    amountCents: 1_000,
    sale: { saleCents: 10_000, refundedCents: 2_500, openCents: 5_000, lostCents: 0 },
    review: 'none' as const,
    isMerged: false,
    isSetAside: false,
  }

  test.each([
    ['a quarter refunded, half disputed', facts, { promised: 750, disputed: 500, review: 0 }],
    ['the rest of it in review', { ...facts, review: 'open' as const }, { promised: 750, disputed: 500, review: 250 }],
    ['rejected in a review', { ...facts, review: 'rejected' as const }, { promised: 0, disputed: 0, review: 0 }],
    ['part of another sale', { ...facts, isMerged: true }, { promised: 0, disputed: 0, review: 0 }],
    ['set aside by a member', { ...facts, isSetAside: true }, { promised: 0, disputed: 0, review: 0 }],
    ['of a lead', { ...facts, sale: null }, { promised: 1_000, disputed: 0, review: 0 }],
  ])('%s', (_, given, wanted) => expect(standingOf(given)).toEqual(wanted))
})
