import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { expectRefusal, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

setDefaultTimeout(60_000)

const service = await givenService()

const withRules = (rules: object[], more: object = {}) =>
  givenPayingProgram(service, { sale: { rules }, holdDays: 0, ...more })

const amounts = async (program: PayingProgram) =>
  (await program.commissions()).map(({ amountCents }: { amountCents: number }) => amountCents).reverse()

const sell = async (program: PayingProgram, customer_key: string, amount: number, more: object = {}) => {
  const { status, body } = await program.sale({ customer_key, amount, invoice_id: unique('invoice'), ...more })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.commission_id as number | null
}

const item = (product_id: string, amount: number, more: object = {}) => ({ product_id, amount, ...more })

describe('terms as rules', () => {
  test('the list of the design is saved, answered and read again as it was sent', async () => {
    const rules = [
      { when: { products: ['prod_addon'] }, pays: [] },
      { when: { interval: 'year' }, pays: [{ percentBps: 1000 }] },
      { pays: [{ months: 12, percentBps: 3000 }, { percentBps: 1000 }], maxPerCustomerCents: 50_000 },
    ]
    const program = await withRules(rules)
    const { body } = await program.owner.call('GET', `${program.api}/reward`)
    expect(body.data.sale).toEqual({ rules })
    expect(body.data.warnings).toEqual([])
    expect((await program.owner.call('PUT', `${program.api}/reward`, body.data)).status).toBe(200)
  })

  test('one rule without conditions is the same as percentBps and duration, and the answer has both', async () => {
    const program = await withRules([{ pays: [{ months: 12, percentBps: 3000 }] }])
    const { body } = await program.owner.call('GET', `${program.api}/reward`)
    const both = {
      percentBps: 3000,
      duration: 'months',
      months: 12,
      rules: [{ pays: [{ months: 12, percentBps: 3000 }] }],
    }
    expect(body.data.sale).toEqual(both)
    await program.owner.call('PUT', `${program.api}/reward`, { sale: { percentBps: 500, duration: 'first' } })
    const first = (await program.owner.call('GET', `${program.api}/reward`)).body.data
    expect(first.sale.rules).toEqual([{ when: { payment: 'first' }, pays: [{ percentBps: 500 }] }])
    expect((await program.owner.call('PUT', `${program.api}/reward`, first)).body.data.sale).toEqual(first.sale)
  })

  test('30 % for a year, then 10 %', async () => {
    const program = await withRules([{ pays: [{ months: 12, percentBps: 3000 }, { percentBps: 1000 }] }])
    const customer = await program.customer()
    await sell(program, customer, 1_000)
    service.clock.advance(200 * DAY_MS)
    await sell(program, customer, 1_000)
    service.clock.advance(200 * DAY_MS)
    await sell(program, customer, 1_000)
    expect(await amounts(program)).toEqual([300, 300, 100])
  })

  test('each item pays by its own rule, and the sum is rounded once', async () => {
    const program = await withRules([
      { when: { products: ['addon'] }, pays: [] },
      { when: { interval: 'year' }, pays: [{ percentBps: 1000 }] },
      { when: { products: ['main'] }, pays: [{ percentBps: 1500 }] },
    ])
    const customer = await program.customer()
    await sell(program, customer, 1_000, {
      items: [item('addon', 100), item('x', 333, { interval: 'year' }), item('main', 333)],
    })
    // 33.3 + 49.95; the rest of 234 has no product.
    expect(await amounts(program)).toEqual([83])
  })

  test('a maximum per customer: a reversal makes room for later sales, and a sale that was cut stays cut', async () => {
    const program = await withRules([{ pays: [{ percentBps: 1000 }], maxPerCustomerCents: 500 }])
    const customer_key = await program.customer()
    const first = { customer_key, amount: 4_000, invoice_id: unique('invoice') }
    expect((await program.sale(first)).status).toBe(200)
    service.clock.advance(1_000)
    await sell(program, customer_key, 4_000)
    service.clock.advance(1_000)
    expect(await sell(program, customer_key, 4_000)).toBeNull()
    service.clock.advance(1_000)
    expect((await program.refund({ invoice_id: first.invoice_id })).status).toBe(200)
    service.clock.advance(1_000)
    await sell(program, customer_key, 3_000)
    service.clock.advance(1_000)
    await sell(program, customer_key, 3_000)
    expect(await amounts(program)).toEqual([400, 100, 300, 100])
  })
})

describe('a list of rules that cannot be meant', () => {
  const PAYS = [{ percentBps: 1000 }]
  const refused: [string, unknown, string][] = [
    ['no rules', [], 'must have at least one rule'],
    ['a rule without conditions that pays nothing', [{ pays: [] }, { pays: PAYS }], 'has no effect'],
    ['no rule that pays', [{ when: { products: ['a'] }, pays: [] }], 'none of them pays anything'],
    [
      'a maximum of nothing',
      [{ when: { products: ['a'] }, pays: [], maxPerSaleCents: 5 }, { pays: PAYS }],
      'has no effect',
    ],
    ['a rate above 100 %', [{ pays: [{ percentBps: 10_001 }] }], 'at most 10000 (100%)'],
    ['a stage that pays nothing', [{ pays: [{ months: 3 }] }], 'exactly one of percentBps and amountCents'],
    ['both a rate and an amount', [{ pays: [{ percentBps: 1, amountCents: 1 }] }], 'exactly one'],
    ['overlapping stages', [{ pays: [{ percentBps: 3000 }, { months: 3, percentBps: 1000 }] }], 'overlapping stages'],
    ['a stage of no months', [{ pays: [{ months: 0, percentBps: 3000 }] }], 'must be at least 1'],
    ['a product twice', [{ when: { products: ['a', 'a'] }, pays: PAYS }], 'must not list a value twice'],
    ['an empty condition', [{ when: { products: [] }, pays: PAYS }], 'must not be empty'],
    ['an unknown interval', [{ when: { interval: 'week' }, pays: PAYS }], 'one_time, month or year'],
    ['an unknown condition', [{ when: { weather: 'rain' }, pays: PAYS }], 'weather'],
    ['a country that is none', [{ when: { countries: ['Germany'] }, pays: PAYS }], 'country code'],
    ['51 rules', Array.from({ length: 51 }, () => ({ pays: PAYS })), 'at most 50 rules'],
  ]
  for (const [name, rules, words] of refused)
    test(`${name}: 400 with one clear sentence, and nothing is saved`, async () => {
      const program = await givenPayingProgram(service, { sale: { percentBps: 700, duration: 'lifetime' } })
      const before = (await program.owner.call('GET', `${program.api}/reward`)).body
      for (const path of ['/reward', `/partners/${program.link.partnerId}/reward`]) {
        const answer = await program.owner.call('PUT', `${program.api}${path}`, { sale: { rules } })
        expectRefusal(answer, 400, 'invalid_request')
        expect(answer.body.error.message).toContain(words)
      }
      expect((await program.owner.call('GET', `${program.api}/reward`)).body).toEqual(before)
    })

  test('two forms that say different things are refused', async () => {
    const program = await givenPayingProgram(service, null)
    const sale = { percentBps: 500, duration: 'lifetime', rules: [{ pays: [{ percentBps: 600 }] }] }
    const answer = await program.owner.call('PUT', `${program.api}/reward`, { sale })
    expectRefusal(answer, 400, 'invalid_request')
    expect(answer.body.error.message).toContain('Send only one of the two forms')
  })

  test('a rule or stage that can never match is saved with a warning', async () => {
    const program = await givenPayingProgram(service, null)
    const rules = [
      { when: { payment: 'first' }, pays: [{ months: 1, percentBps: 100 }, { percentBps: 200 }] },
      { when: { payment: 'renewal', currencies: ['USD', 'EUR'] }, pays: PAYS },
      { when: { currencies: ['EUR'] }, pays: PAYS },
      { pays: PAYS },
      { when: { products: ['a'] }, pays: PAYS },
    ]
    const { status, body } = await program.owner.call('PUT', `${program.api}/reward`, { sale: { rules } })
    expect(status).toBe(200)
    expect(body.data.warnings).toMatchObject([
      { code: 'stage_never_reached', rule: 1, stage: 2 },
      { code: 'rule_never_matches', rule: 3 },
      { code: 'rule_never_matches', rule: 5 },
    ])
    expect((await program.owner.call('GET', `${program.api}/reward`)).body.data.sale).toEqual({ rules })
  })

  test('a product that no recent sale had gets a warning, once sales have items', async () => {
    const rules = [{ when: { products: ['seen', 'typo'], plans: ['p1'] }, pays: PAYS }]
    const program = await withRules(rules)
    const warnings = async () => (await program.owner.call('GET', `${program.api}/reward`)).body.data.warnings
    expect(await warnings()).toEqual([])
    await sell(program, await program.customer(), 100, { items: [item('seen', 100, { plan_id: 'p1' })] })
    expect(await warnings()).toMatchObject([
      {
        code: 'product_not_seen',
        rule: 1,
        value: 'typo',
        message: 'No recent sale had the product typo of rule 1. Check the ID.',
      },
    ])
  })
})

describe('items of a sale', () => {
  const refused: [string, object[], string, string][] = [
    ['101 items', Array.from({ length: 101 }, () => item('a', 1)), 'invalid_request', 'at most 100 items'],
    ['items above the amount', [item('a', 600), item('b', 401)], 'invalid_amount', 'more than amount'],
    ['an item without a product', [{ amount: 5 }], 'invalid_request', 'product_id'],
    ['a fraction', [item('a', 1.5)], 'invalid_request', 'integer in minor units'],
    ['an unknown interval', [item('a', 1, { interval: 'week' })], 'invalid_request', 'one_time, month or year'],
  ]
  for (const [name, items, code, words] of refused)
    test(`${name}: 400, and nothing is recorded`, async () => {
      const program = await withRules([{ pays: [{ percentBps: 1000 }] }])
      const customer_key = await program.customer()
      const call = { customer_key, amount: 1_000, invoice_id: unique('invoice') }
      const answer = await program.sale({ ...call, items })
      expectRefusal(answer, 400, code)
      expect(answer.body.error.message).toContain(words)
      expect((await program.sale(call)).status).toBe(200)
    })

  test('sent again are the same request, and other items are not', async () => {
    const program = await withRules([{ pays: [{ percentBps: 1000 }] }])
    const call = { customer_key: await program.customer(), amount: 1_000, invoice_id: unique('invoice') }
    expect((await program.sale({ ...call, items: [item('a', 900)] })).status).toBe(200)
    expect((await program.sale({ ...call, items: [item('a', 900)] })).body.error).toMatchObject({ same_request: true })
    expect((await program.sale({ ...call, items: [item('a', 800)] })).body.error).toMatchObject({ same_request: false })
  })

  test('share tax in proportion, and a refund without items is a share of all of them', async () => {
    const program = await withRules([{ when: { products: ['a'] }, pays: [{ percentBps: 5000 }] }])
    const call = { customer_key: await program.customer(), amount: 1_190, tax: 190, invoice_id: unique('invoice') }
    expect((await program.sale({ ...call, items: [item('a', 595)] })).status).toBe(200)
    expect(await amounts(program)).toEqual([250])
    expect((await program.refund({ invoice_id: call.invoice_id, amount: 595 })).body).toMatchObject({
      reversed_amount: 125,
    })
  })
})

describe('a preview of rules', () => {
  const RULES = [
    { when: { products: ['addon'] }, pays: [] },
    { pays: [{ months: 12, percentBps: 3000 }, { percentBps: 1000 }] },
  ]

  test('shows what the most recent sale would earn, by which rule, and why not by earlier ones; it saves nothing', async () => {
    const program = await withRules([{ pays: [{ percentBps: 100 }] }])
    const customer = await program.customer()
    await sell(program, customer, 1_000)
    service.clock.advance(400 * DAY_MS)
    await sell(program, customer, 1_000, { items: [item('addon', 300)] })
    const before = await program.commissions()
    const { status, body } = await program.owner.call('POST', `${program.api}/reward/preview-sale`, {
      reward: { sale: { rules: RULES } },
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      amountCents: 1_000,
      isFirstSale: false,
      commission: { amountCents: 70, currency: 'USD' },
      items: [
        { productId: 'addon', amountCents: 300, rule: 1, stage: null, reason: 'rule_pays_nothing', skipped: [] },
        {
          productId: null,
          amountCents: 700,
          rule: 2,
          stage: 2,
          percentBps: 1000,
          reason: null,
          skipped: [{ rule: 1, reason: 'other_product' }],
        },
      ],
      rules: [{ rule: 2, earnedCents: 70, paidCents: 70, cutBy: null }],
    })
    expect(await program.commissions()).toEqual(before)
    expect((await program.owner.call('GET', `${program.api}/reward`)).body.data.version).toBe(1)
  })

  test('of a program without sales, or with an example, uses the example', async () => {
    const program = await givenPayingProgram(service, null)
    const reward = { sale: { rules: RULES } }
    const preview = (more: object) =>
      program.owner.call('POST', `${program.api}/reward/preview-sale`, { reward, ...more })
    expect((await preview({})).body.data).toMatchObject({ sale: null, commission: { amountCents: 1470 } })
    const example = { amountCents: 1_000, monthsSinceFirstSale: 12, items: [{ productId: 'addon', amountCents: 400 }] }
    expect((await preview({ example })).body.data).toMatchObject({ sale: null, commission: { amountCents: 60 } })
    expectRefusal(await preview({ saleId: 999_999 }), 404, 'not_found')
    expectRefusal(await preview({ saleId: 1, example }), 400, 'invalid_request')
  })
})
