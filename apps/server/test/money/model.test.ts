import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findCommissionOfSale } from '../../src/money/commissions/commissions.ts'
import { Refusal } from '../../src/refusal.ts'
import { unique } from '../support/given.ts'
import { expectStatesAgree } from './expect-states-agree.ts'
import { DAY_MS, givenLedger, givenMoney, onlyLine } from './given-money.ts'
import { cases, NIGHTLY_TIMEOUT_MS } from './nightly.ts'
import { createOracle, type OracleSale } from './oracle.ts'

const ledger = await givenLedger()

/** 5,000 programs of 20 steps or more are 100,000 money events, each compared. */
const RUNS = cases({ short: 2, small: 25, nightly: 100_000 })

const which = fc.nat(1_000)
/** Mostly approved, or nothing would ever be paid. */
const STATUSES = ['approved', 'approved', 'approved', 'pending', 'suspended', 'rejected'] as const
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('sell' as const), amount: fc.integer({ min: 1, max: 20_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('sell early' as const), amount: fc.integer({ min: 1, max: 20_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lead' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('sell unverified' as const), amount: fc.integer({ min: 1, max: 20_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('browser lead' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('confirm' as const), isEvidence: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('refund' as const), which, part: fc.constantFrom(0.01, 0.3, 0.5, 1, null) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund again' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      which,
      id: fc.constantFrom('a', 'b'),
      status: fc.constantFrom('open' as const, 'open' as const, 'won' as const, 'lost' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      which,
      status: fc.constantFrom('paid' as const, 'paid' as const, 'failed' as const),
      extra: fc.constantFrom(null, null, 0, 7),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 6 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('terms' as const),
      percentBps: fc.integer({ min: 1, max: 10_000 }),
      holdDays: fc.constantFrom(0, 0, 5, 12),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('seal' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('status' as const), status: fc.constantFrom(...STATUSES) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('review' as const),
      which,
      decision: fc.constantFrom('released' as const, 'rejected' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), which }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Runs the real operations and the oracle in lockstep. */
const givenRun = async () => {
  let terms = { percentBps: 1_250, holdDays: 0 }
  const rewardOf = () => ({
    sale: { percentBps: terms.percentBps, duration: 'lifetime' as const },
    holdDays: terms.holdDays,
  })
  const money = await givenMoney(ledger, rewardOf())
  const oracle = createOracle()
  const customer = await money.customer()
  const lateClick = await money.click()
  let isLateKnown = false
  let isApproved = true
  const browserClick = await money.click()
  let browser: 'unknown' | 'unverified' | 'confirmed' = 'unknown'
  const browserSales: OracleSale[] = []
  const invoices: string[] = []
  const saleIds: number[] = []
  const refunds: { invoiceId: string; cents: number | null; refundId: string }[] = []
  /** The only line of each payout, by the oracle's payout number. */
  const lineOf = new Map<number, { payoutId: number; lineId: number }>()
  const pick = (index: number) => {
    const number = index % Math.max(invoices.length, 1)
    const [sale, invoiceId] = [oracle.sales[number], invoices[number]]
    return sale && invoiceId !== undefined ? { sale, invoiceId } : null
  }
  /** The same, if it has earned a commission. */
  const pickEarned = async (index: number) => {
    const found = pick(index)
    const saleId = saleIds[index % Math.max(saleIds.length, 1)] ?? 0
    const commission = await findCommissionOfSale(ledger.db, { programId: money.programId, saleId })
    return found && commission ? { ...found, commissionId: commission.id } : null
  }

  const sell = async (amount: number, key: string, credited: boolean, unverified = false) => {
    const { invoiceId, saleId } = await money.sale(key, amount)
    const commission = Number((BigInt(amount) * BigInt(terms.percentBps) + 5_000n) / 10_000n)
    invoices.push(invoiceId)
    saleIds.push(saleId)
    const payableAt = money.clock.now().getTime() + terms.holdDays * DAY_MS
    return oracle.sell({ amount, commission, payableAt, credited, unverified })
  }

  const take = async (one: Step) => {
    switch (one.do) {
      case 'sell':
        return sell(one.amount, customer, true)
      case 'sell early':
        return sell(one.amount, 'late', isLateKnown)
      case 'lead': {
        await money.lead('late', isLateKnown ? null : lateClick)
        isLateKnown = true
        for (const sale of oracle.sales) if (!browserSales.includes(sale)) oracle.credit(sale)
        return
      }
      case 'sell unverified': {
        browserSales.push(await sell(one.amount, 'browser', browser !== 'unknown', browser === 'unverified'))
        return
      }
      case 'browser lead': {
        // A sale in the same millisecond as the lead would not be earlier than it.
        money.clock.advance(1)
        await money.browserLead('browser', browserClick)
        if (browser === 'unknown') browser = 'unverified'
        return
      }
      case 'confirm': {
        if (browser === 'unknown' && !one.isEvidence) return
        await money.lead('browser', one.isEvidence ? browserClick : null)
        if (!one.isEvidence) return
        browser = 'confirmed'
        for (const sale of browserSales) oracle.confirm(sale)
        return
      }
      case 'refund': {
        const found = pick(one.which)
        if (!found) return
        const rest = found.sale.amount - found.sale.refunded
        const cents = one.part === null ? rest : Math.max(1, Math.floor(found.sale.amount * one.part))
        const refundId = unique('refund')
        const answer = money.refund(found.invoiceId, one.part === null ? null : cents, refundId)
        if (cents > rest) return expect(answer).rejects.toThrow(Refusal)
        await answer
        if (cents === 0) return
        oracle.refund(found.sale, cents)
        refunds.push({ invoiceId: found.invoiceId, cents: one.part === null ? null : cents, refundId })
        return
      }
      case 'refund again': {
        const earlier = refunds[one.which % Math.max(refunds.length, 1)]
        if (earlier)
          expect((await money.refund(earlier.invoiceId, earlier.cents, earlier.refundId)).duplicate).toBe(true)
        return
      }
      case 'dispute': {
        const found = pick(one.which)
        if (!found) return
        await money.dispute(found.invoiceId, one.status, one.id)
        oracle.dispute(found.sale, one.id, one.status)
        return
      }
      case 'pay': {
        const answer = money.pay()
        const number = oracle.pay(money.clock.now().getTime())
        if (number === null) return expect(answer).rejects.toThrow(Refusal)
        lineOf.set(number, onlyLine(await answer))
        return
      }
      case 'mark': {
        const open = [...oracle.payouts.entries()].filter(([, { status }]) => status === 'open')
        const [number, batch] = open[one.which % Math.max(open.length, 1)] ?? []
        const line = lineOf.get(number ?? -1)
        if (!batch || !line) return
        // A refund after the file may leave less reserved than was sent, but never more was sent than reserved at
        // first.
        const most = Math.min(batch.batched + (one.extra ?? 0), batch.reserved)
        const cents = one.status === 'failed' || one.extra === null ? null : most
        const answer = money.mark(line, one.status, cents)
        // No file contained it.
        if (one.status === 'paid' && !isApproved) return expect(answer).rejects.toThrow(Refusal)
        await answer
        oracle.mark(batch, one.status, cents)
        return
      }
      case 'wait':
        return money.clock.advance(one.days * DAY_MS)
      case 'terms':
        terms = { percentBps: one.percentBps, holdDays: one.holdDays }
        money.clock.advance(1)
        await money.changeTerms(rewardOf())
        return
      case 'status':
        await money.setStatus(one.status)
        oracle.setStatus(one.status)
        isApproved = one.status === 'approved'
        return
      case 'review': {
        const found = await pickEarned(one.which)
        if (!found) return
        const answer = money.review(found.commissionId, one.decision)
        if (!found.sale.inReview) return expect(answer).rejects.toThrow(Refusal)
        await answer
        if (one.decision === 'released') oracle.release(found.sale)
        else oracle.reject(found.sale)
        return
      }
      case 'void': {
        const found = await pickEarned(one.which)
        if (!found) return
        const answer = money.void(found.commissionId)
        if (found.sale.isRejected) return expect(answer).rejects.toThrow(Refusal)
        await answer
        oracle.reject(found.sale)
        return
      }
      case 'release': {
        const { released } = await money.releaseHolds()
        const cents = released.reduce((total, { amountCents }) => total + amountCents, 0)
        expect(cents).toBe(oracle.releaseHolds(money.clock.now().getTime()))
        expect((await money.releaseHolds()).released).toEqual([])
        return
      }
      case 'seal':
        await money.seal()
    }
  }
  const compare = async () => expect(await money.balance()).toMatchObject(oracle.balance(money.clock.now().getTime()))
  return { money, take, compare }
}

describe('any order of sale, refund, dispute, payout, late credit, browser lead, duplicate, status, review, void and release', () => {
  test(
    'equals the sequential oracle after every step, commission states agree with it, and ledger:verify finds no difference',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
          const { money, take, compare } = await givenRun()
          for (const one of steps) {
            await take(one)
            await compare()
            await expectStatesAgree(ledger, money)
          }
          await money.seal()
          expect((await money.verify(new Date(money.clock.now().getTime() + 1))).differences).toEqual([])
        }),
        { numRuns: RUNS },
      )
    },
    NIGHTLY_TIMEOUT_MS,
  )
})
