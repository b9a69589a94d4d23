import { expect, test } from 'bun:test'
import { backtest as answer, type BacktestBlock } from '@tributary/contract'
import fc from 'fast-check'
import { readDemoSignIn } from '../../src/demo/demo-sign-in.ts'
import { findCommissionOfSale } from '../../src/money/commissions/commissions.ts'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { Refusal } from '../../src/refusal.ts'
import { givenFolder } from '../demo/given.ts'
import { givenPayments, paid } from '../payments/given-payments.ts'
import { cookieOf, givenUser } from '../support/given.ts'
import { givenRole } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { isLongRun } from '../support/size.ts'
import { DAY_MS, type Reward } from './given-money.ts'
import { cases, NIGHTLY_TIMEOUT_MS } from './nightly.ts'

const dataDir = givenFolder()
const service = await startTestService({ demo: true, dataDir })
/** Runs the money operations on the service's database. */
const ledger = { ...service, appPool: service.pool, owner: service.db }

const RUNS = cases({ short: 2, small: 20, nightly: 5_000 })

type Terms = Pick<Reward, 'lead' | 'sale'>
type Owner = { call: (method: string, path: string, body?: unknown) => ReturnType<typeof service.call> }
type Period = { from: string; to: string }

const backtest = async (owner: Owner, programId: number, body: Period & { terms: object }) => {
  const { status, body: answered } = await owner.call('POST', `/api/programs/${programId}/reward/backtest`, body)
  expect(status).toBe(200)
  return answer.parse(answered.data)
}

type Column = 'actualCents' | 'proposedCents' | 'differenceCents'

/** The amount of each partner by partner ID and currency, without omissions. */
const sumsOf = (blocks: BacktestBlock[], column: Column) =>
  Object.fromEntries(
    blocks
      .flatMap(({ currency, partners }) =>
        partners.map((partner) => [`${partner.partnerId} ${currency}`, partner[column]] as const),
      )
      .filter(([, cents]) => cents !== 0),
  )

/** What the ledger promised to partners and did not reverse. */
const promised = async (programId: number, { from, to }: Period) => {
  const { rows } = await service.pool.query(
    `SELECT commission.partner_id, commission.currency,
      sum(CASE 'program' WHEN from_account THEN line.amount_cents WHEN to_account THEN -line.amount_cents ELSE 0 END)::bigint AS cents
    FROM ledger_lines line JOIN commissions commission
      ON commission.program_id = line.program_id AND commission.id = line.commission_id
    WHERE line.program_id = $1 AND commission.kind <> 'bonus' AND commission.earned_at >= $2::timestamptz AND commission.earned_at < $3::timestamptz
    GROUP BY 1, 2`,
    [programId, from, to],
  )
  const sums = rows.map(({ partner_id, currency, cents }) => [`${partner_id} ${currency}`, Number(cents)] as const)
  return Object.fromEntries(sums.filter(([, cents]) => cents !== 0))
}

const amount = fc.integer({ min: 1, max: 20_000 })
const which = fc.nat(1_000)
const duration = fc.constantFrom<{ duration: 'first' | 'lifetime' } | { duration: 'months'; months: number }>(
  { duration: 'first' },
  { duration: 'months', months: 1 },
  { duration: 'months', months: 3 },
  { duration: 'lifetime' },
)
const sale = fc
  .tuple(
    fc.oneof(
      fc.record({ percentBps: fc.integer({ min: 1, max: 10_000 }) }),
      fc.record({ amountCents: fc.integer({ min: 1, max: 900 }) }),
    ),
    duration,
  )
  .map(([pays, lasts]) => ({ ...pays, ...lasts }))
const terms: fc.Arbitrary<Terms> = fc.record({
  lead: fc.option(fc.record({ amountCents: fc.integer({ min: 1, max: 500 }) })),
  sale: fc.option(sale, { freq: 6 }),
})

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('sell' as const), customer: fc.nat(2), amount }) },
  // Reported days after it was made, so it may turn out to be the first sale.
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      customer: fc.nat(2),
      amount,
      daysAgo: fc.nat(30),
      isReportedTwice: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund' as const), which, cents: amount }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      which,
      status: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('custom terms' as const), terms }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A program with these terms. Two of them can play the same history. */
const givenShop = async (reward: Terms) => {
  const shop = await givenPayments(ledger, reward, 2)
  const { programId } = shop
  // Some time passes between the leads and the first payments that are reported late.
  const customers: { programId: number; customerKey: string; clickId: string }[] = []
  for (const partner of [0, 0, 1]) customers.push(await shop.attribution(partner))
  for (const { customerKey, clickId } of customers) await shop.lead(customerKey, clickId)
  shop.clock.advance(31 * DAY_MS)
  const saleNamed = async (invoiceId: string) =>
    (await shop.sales()).find((sale) => sale.invoiceId === invoiceId && sale.voidedAt === null)
  return {
    ...shop,
    customers,
    saleNamed,
    commissionOf: async (invoiceId: string) => {
      const sale = await saleNamed(invoiceId)
      return sale && findCommissionOfSale(service.db, { programId, saleId: sale.id })
    },
  }
}
type TestShop = Awaited<ReturnType<typeof givenShop>>

/** Plays the same history in all programs. A void runs only if every program has something to void. */
const play = async (shops: TestShop[], steps: Step[]) => {
  const names: string[] = []
  const twice: number[] = []
  const pick = (index: number) => names[index % Math.max(names.length, 1)]
  const each = async (act: (shop: TestShop) => Promise<unknown>) => {
    for (const shop of shops) await act(shop)
  }
  const take = async (one: Step, number: number) => {
    switch (one.do) {
      case 'sell':
        names.push(`sale_${number}`)
        return each((shop) => shop.sale(shop.customers[one.customer]?.customerKey ?? '', one.amount, `sale_${number}`))
      case 'pay': {
        names.push(`in_${number}`)
        if (one.isReportedTwice) twice.push(number)
        return each(async (shop) => {
          const attribution = shop.customers[one.customer] ?? null
          const at = new Date(shop.clock.now().getTime() - one.daysAgo * DAY_MS)
          await shop.report([`in_${number}`], paid(one.amount, { source: 'invoice' }), { attribution, at })
          if (one.isReportedTwice) await shop.report([`pi_${number}`], paid(one.amount), { attribution, at })
        })
      }
      case 'merge': {
        const doubled = twice[one.which % Math.max(twice.length, 1)]
        if (doubled === undefined) return
        return each((shop) => shop.report([`in_${doubled}`, `pi_${doubled}`], SAME_PAYMENT))
      }
      case 'refund':
      case 'dispute': {
        const name = pick(one.which)
        if (name === undefined) return
        const isRefund = one.do === 'refund'
        return each((shop) =>
          (isRefund ? shop.refund(name, one.cents) : shop.dispute(name, one.status, `dispute_${number}`)).catch(
            // More than is left of the sale.
            (error) => expect(error).toBeInstanceOf(Refusal),
          ),
        )
      }
      case 'void': {
        const name = pick(one.which)
        const found = await Promise.all(shops.map((shop) => name && shop.commissionOf(name)))
        if (!found.every(Boolean)) return
        for (const [index, shop] of shops.entries()) {
          const commission = found[index]
          if (commission) await shop.void(commission.id).catch((error) => expect(error).toBeInstanceOf(Refusal))
        }
        return
      }
      case 'wait':
        return each(async ({ clock }) => clock.advance(one.days * DAY_MS))
      case 'custom terms':
        return each((shop) => shop.changeTerms(one.terms, shop.links[1]?.partnerId))
    }
  }
  for (const [number, one] of steps.entries()) await take(one, number)
}

const givenOwner = async ({ inboxProgram }: TestShop): Promise<Owner> => {
  const user = await givenUser(service)
  await givenRole(service, inboxProgram.workspaceId, user, 'owner')
  return user
}

/** Keyed by position, because partner IDs differ between programs. */
const byPlace = (sums: Record<string, number>, { links }: TestShop) =>
  Object.fromEntries(
    Object.entries(sums).map(([name, cents]) => {
      const [partnerId, currency] = name.split(' ')
      return [`${links.findIndex((link) => link.partnerId === Number(partnerId))} ${currency}`, cents]
    }),
  )

test.skipIf(!isLongRun)(
  'any history: equal terms make no difference, “earned” equals the ledger, and “would have earned” equals a program with these terms',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        terms,
        terms,
        fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }),
        fc.integer({ min: 0, max: 900 }),
        async (one, other, steps, splitAfterDays) => {
          const start = Date.now()
          const at = (days: number) => new Date(start + days * DAY_MS).toISOString()
          const whole = { from: at(-60), to: at(1_030) }
          const [shop, otherShop] = [await givenShop(one), await givenShop(other)]
          await play([shop, otherShop], steps)
          const owner = await givenOwner(shop)
          const { programId } = shop

          const equal = await backtest(owner, programId, { terms: one, ...whole })
          expect(sumsOf(equal, 'differenceCents')).toEqual({})
          expect(sumsOf(equal, 'actualCents')).toEqual(await promised(programId, whole))

          for (const part of [
            { from: whole.from, to: at(splitAfterDays) },
            { from: at(splitAfterDays), to: whole.to },
          ]) {
            const parted = await backtest(owner, programId, { terms: one, ...part })
            expect(sumsOf(parted, 'differenceCents')).toEqual({})
            expect(sumsOf(parted, 'actualCents')).toEqual(await promised(programId, part))
          }

          const instead = await backtest(owner, programId, { terms: other, ...whole })
          expect(sumsOf(instead, 'actualCents')).toEqual(sumsOf(equal, 'actualCents'))
          expect(byPlace(sumsOf(instead, 'proposedCents'), shop)).toEqual(
            byPlace(await promised(otherShop.programId, whole), otherShop),
          )
        },
      ),
      { numRuns: RUNS },
    )
  },
  NIGHTLY_TIMEOUT_MS,
)

test('two sales merged into one payment count once, and a lost dispute reverses a commission', async () => {
  const shop = await givenShop({ lead: null, sale: { percentBps: 1_000, duration: 'lifetime' } })
  await play(
    [shop],
    [
      { do: 'pay', customer: 0, amount: 10_000, daysAgo: 0, isReportedTwice: true },
      { do: 'merge', which: 0 },
      { do: 'pay', customer: 2, amount: 4_000, daysAgo: 0, isReportedTwice: false },
      { do: 'dispute', which: 1, status: 'lost' },
    ],
  )
  const now = shop.clock.now().getTime()
  const period = { from: new Date(now - DAY_MS).toISOString(), to: new Date(now + DAY_MS).toISOString() }
  const terms = { sale: { percentBps: 2_000, duration: 'lifetime' } }
  const blocks = await backtest(await givenOwner(shop), shop.programId, { terms, ...period })
  expect((await shop.sales()).length).toBe(3)
  expect(byPlace(sumsOf(blocks, 'actualCents'), shop)).toEqual({ '0 USD': 1_000 })
  expect(byPlace(sumsOf(blocks, 'proposedCents'), shop)).toEqual({ '0 USD': 2_000 })
})

test('the demo program: equal terms make no difference, and “earned” equals the ledger', async () => {
  const { headers } = await service.call('POST', '/api/auth/sign-in/email', readDemoSignIn(dataDir))
  const cookie = cookieOf(headers)
  const owner: Owner = { call: (method, path, body) => service.call(method, path, body, { cookie }) }
  const { data: reward } = (await owner.call('GET', '/api/programs/1/reward')).body
  const now = service.clock.now().getTime()
  const period = { from: new Date(now - 90 * DAY_MS).toISOString(), to: new Date(now + DAY_MS).toISOString() }
  const blocks = await backtest(owner, 1, { terms: reward, ...period })
  expect(blocks.flatMap(({ partners }) => partners).length).toBeGreaterThan(3)
  expect(sumsOf(blocks, 'differenceCents')).toEqual({})
  expect(sumsOf(blocks, 'actualCents')).toEqual(await promised(1, period))
})
