import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readBreakdown } from '../../src/events/overview/breakdown.ts'
import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { Refusal } from '../../src/refusal.ts'
import { writeClicks } from '../../src/tracking/clicks/write-clicks.ts'
import { cases, NIGHTLY_TIMEOUT_MS } from '../money/nightly.ts'
import { clickRow } from '../support/click-row.ts'
import { unique } from '../support/given.ts'
import { DAY_MS } from '../support/service.ts'
import { isLongRun, sized } from '../support/size.ts'
import { verifyProgram } from '../support/verify-program.ts'
import { converted, givenFigures, type Shop } from './given-figures.ts'
import { givenLedger, paid } from './given-payments.ts'

const ledger = await givenLedger()
const MINUTE_MS = 60_000
const { givenShop, expectSame } = givenFigures(ledger)

const which = fc.nat(1_000)
const amount = fc.integer({ min: 10, max: 20_000 })
const ago = fc.constantFrom(0, 0, 30_000, 10 * MINUTE_MS, 2 * DAY_MS)
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pay' as const), which, amount, ago }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sell' as const), which, amount }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('learn the tax' as const), which, amount, ago }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('link' as const), which, with: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), which, amount }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 90_000, 600_000, DAY_MS) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('roll up' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const take = async (shop: Shop, names: string[], step: Step) => {
  const one = <Item>(items: Item[], index: number) => items[index % items.length] as Item
  const at = new Date(shop.clock.now().getTime() - ('ago' in step ? step.ago : 0))
  if (step.do === 'wait') return shop.clock.advance(step.ms)
  if (step.do === 'roll up') {
    while (!(await rollUp(ledger.db, { program: shop.inboxProgram, at: shop.clock.now() })));
    return
  }
  if (step.do === 'pay' || step.do === 'sell') {
    const name = `pi_${names.length}`
    names.push(name)
    const customer = one(shop.customers, step.which)
    if (step.do === 'sell') return shop.sale(customer.customerKey, step.amount, name)
    return shop.report([name], paid(step.amount), { attribution: customer, at })
  }
  if (names.length === 0) return
  const name = one(names, step.which)
  if (step.do === 'link') return shop.report([name, one(names, step.with)], SAME_PAYMENT)
  if (step.do === 'refund')
    return shop.report([name], { kind: 'refunded_in_all', grossCents: step.amount, currency: 'USD' })
  const invoice = paid(20_000, { netCents: step.amount, source: 'invoice' })
  return shop.report([name], invoice, { attribution: one(shop.customers, step.which), at })
}

test.skipIf(!isLongRun)(
  'the figures equal the sums of the rows, whatever happens to a payment after its roll-up',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
        const shop = await givenShop()
        const names: string[] = []
        for (const [index, one] of steps.entries()) {
          await Promise.resolve(take(shop, names, one)).catch((error) => expect(error).toBeInstanceOf(Refusal))
          if (index % 7 === 6) await expectSame(shop)
        }
        await expectSame(shop)
        shop.clock.advance(10 * MINUTE_MS)
        await expectSame(shop)
        const { differences } = await verifyProgram(ledger.db, { programId: shop.programId, sealedBefore: null })
        expect(differences).toEqual([])
      }),
      { numRuns: cases({ short: 2, small: 8, nightly: 2_000 }) },
    )
  },
  Math.max(NIGHTLY_TIMEOUT_MS, 5 * MINUTE_MS),
)

for (const [day, wait] of [
  ['a day that is over', 3 * DAY_MS],
  ['today', 5 * MINUTE_MS],
] as const)
  test(`two payments of ${day} are merged after their roll-up, and the figures follow immediately`, async () => {
    const shop = await givenShop()
    const [attribution] = shop.customers
    await shop.report(['pi_1'], paid(11_900), { attribution })
    await shop.report(['in_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution })
    shop.clock.advance(wait)
    await take(shop, [], { do: 'roll up' })
    await expectSame(shop)
    await shop.report(['pi_1', 'in_1'], SAME_PAYMENT)
    await expectSame(shop)
    const { differences } = await verifyProgram(ledger.db, { programId: shop.programId, sealedBefore: null })
    expect(differences).toEqual([])
  })

describe('a sale rolled up as the first of its customer is recounted', () => {
  const FIRST = { sale: { percentBps: 1_000, duration: 'first' as const } }

  const givenRolledUp = async (attributed: (customer: Shop['customers'][number]) => object) => {
    const shop = await givenShop(FIRST)
    const [customer] = shop.customers
    if (!customer) throw new Error('no customer was created')
    const start = shop.clock.now().getTime()
    const report = (name: string, minute: number, who: object) =>
      shop.report([name], paid(10_000 + minute), {
        attribution: { programId: shop.programId, customerKey: null, clickId: null, ...who },
        at: new Date(start + minute * MINUTE_MS),
      })
    shop.clock.advance(60 * MINUTE_MS)
    await report('pi_later', 30, attributed(customer))
    shop.clock.advance(10 * MINUTE_MS)
    while (!(await rollUp(ledger.db, { program: shop.inboxProgram, at: shop.clock.now() })));
    return { shop, customer, report }
  }

  test('after a report of an earlier payment', async () => {
    const { shop, customer, report } = await givenRolledUp((one) => one)
    await report('pi_earlier', 10, customer)
    expect((await shop.commissions()).map(({ amountCents }) => amountCents).toSorted()).toEqual([0, 1_001])
    await expectSame(shop)
    shop.clock.advance(10 * MINUTE_MS)
    await expectSame(shop)
  })

  test('after a lead that credits an earlier sale', async () => {
    const { shop, customer, report } = await givenRolledUp(({ clickId }) => ({ clickId }))
    await report('pi_earlier', 10, { customerKey: customer.customerKey })
    await shop.lead(customer.customerKey, customer.clickId)
    expect((await shop.commissions()).map(({ amountCents }) => amountCents).toSorted()).toEqual([0, 1_001])
    await expectSame(shop)
  })

  test('after a report that merges it with the earlier payment', async () => {
    const { shop, customer, report } = await givenRolledUp((one) => one)
    await report('pi_earlier', 10, customer)
    await shop.report(['pi_earlier', 'pi_later'], SAME_PAYMENT)
    await expectSame(shop)
  })
})

test('verify accepts a first sale of an earlier day that has not been rolled up yet', async () => {
  const shop = await givenShop()
  const [attribution] = shop.customers
  await shop.report(['pi_later'], paid(10_000), { attribution })
  shop.clock.advance(10 * MINUTE_MS)
  while (!(await rollUp(ledger.db, { program: shop.inboxProgram, at: shop.clock.now() })));
  await shop.report(['pi_earlier'], paid(20_000), {
    attribution,
    at: new Date(shop.clock.now().getTime() - 2 * DAY_MS),
  })
  const { differences } = await verifyProgram(ledger.db, { programId: shop.programId, sealedBefore: null })
  expect(differences).toEqual([])
})

test.skipIf(!isLongRun)('two payments merged during a roll-up are counted once', async () => {
  const shop = await givenShop()
  const [attribution] = shop.customers
  if (!attribution) throw new Error('no customers were created')
  for (let round = 0; round < sized({ short: 3, long: 10 }); round++) {
    const [intent, invoice] = [`pi_${round}`, `in_${round}`]
    await shop.report([intent], paid(11_900), { attribution })
    await shop.report([invoice], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution })
    shop.clock.advance(5 * MINUTE_MS)
    await Promise.all([
      shop.report([intent, invoice], SAME_PAYMENT),
      rollUp(ledger.db, { program: shop.inboxProgram, at: shop.clock.now() }),
    ])
    shop.clock.advance(5 * MINUTE_MS)
  }
  await expectSame(shop)
})

test('an old day keeps its significant values separate, and folded values are still corrected', async () => {
  const shop = await givenShop()
  const { programId, inboxProgram: program, links } = shop
  const rollUpAll = async () => {
    while (!(await rollUp(ledger.db, { program, at: shop.clock.now() })));
  }
  const aff = links[0]?.aff ?? ''
  const rows = Array.from({ length: 60 }, (_, host) =>
    clickRow(aff, unique('token'), { clickedAt: shop.clock.now(), referrerUrl: `https://h${host}.example/` }),
  )
  const clicks = await writeClicks(ledger.pool, rows, 0)
  for (const [host, written] of clicks.entries()) {
    if (written.refusal) throw new Error('the click was refused')
    if (host % 4 > 0) continue
    const attribution = { programId, customerKey: `of h${host}`, clickId: written.click_id }
    await shop.report([`pi_${host}`], paid(10_000 - host), { attribution })
  }
  type Seen = Record<string, ReturnType<typeof converted> & { clicks: number }>
  const byReferrer = async (): Promise<Seen> => {
    const query = { period: '30d', by: 'referrer', sort: 'clicks', limit: 100 } as const
    const { rows: seen } = await readBreakdown(ledger.db, { program, query, at: shop.clock.now() })
    return Object.fromEntries(seen.map((row) => [row.value, { clicks: row.clicks, ...converted(row) }]))
  }
  const sum = (seen: Seen, name: 'clicks' | 'sales' | 'revenue') =>
    Object.values(seen).reduce((total, row) => total + row[name], 0)

  shop.clock.advance(DAY_MS)
  await rollUpAll()
  const young = await byReferrer()
  expect(young['(other)']).toBeUndefined()
  expect(Object.keys(young)).toHaveLength(61)
  shop.clock.advance(8 * DAY_MS)
  await rollUpAll()
  const old = await byReferrer()
  expect(Object.keys(old).length).toBeLessThanOrEqual(42)
  expect(old['(other)']?.clicks).toBeGreaterThanOrEqual(19)
  for (const name of ['clicks', 'sales', 'revenue'] as const) expect(sum(old, name)).toBe(sum(young, name))

  for (const host of [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56])
    await shop.report([`pi_${host}`], paid(10_000 - host, { netCents: 1_000, source: 'invoice' }), {
      attribution: { programId, customerKey: `of h${host}`, clickId: '' },
    })
  const amended = await byReferrer()
  expect(sum(amended, 'revenue')).toBe(15_000)
  expect(amended['(other)']?.revenue).toBe((old['(other)']?.sales ?? 0) * 1_000)

  await shop.report(['pi_44', 'pi_48'], SAME_PAYMENT)
  const merged = await byReferrer()
  expect(merged['(other)']?.sales).toBe((old['(other)']?.sales ?? 0) - 1)
  expect(sum(merged, 'revenue')).toBe(14_000)
  expect(Object.keys(merged).toSorted()).toEqual(Object.keys(old).toSorted())
  await expectSame(shop)
})
