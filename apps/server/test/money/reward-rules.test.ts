import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { expectRefusal, givenClick, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale, type PayingProgram } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'

setDefaultTimeout(60_000)

const service = await startTestService()

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
    const both = { percentBps: 3000, duration: 'months', months: 12, rules: [{ pays: [{ months: 12, percentBps: 3000 }] }] }
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
