import { describe, expect, test } from 'bun:test'
import { purgeIdempotencyKeys } from '../src/idempotency/idempotency-keys.ts'
import { foundIn } from './support/every-column.ts'
import { expectRefusal, givenClick, unique } from './support/given.ts'
import { givenPayingProgram, givenSale, type PayingProgram } from './support/money.ts'
import { everythingOf, salesOf, testEventsOf } from './support/records.ts'
import { DAY_MS } from './support/service.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const program = await givenPayingProgram(service, {
  lead: { amountCents: 100 },
  sale: { percentBps: 1_000, duration: 'lifetime' },
  holdDays: 0,
})

const PATHS = { lead: '/api/v1/track/lead', sale: '/api/v1/track/sale', refund: '/api/v1/track/refund' }

const send = (path: keyof typeof PATHS, body: object, key: string | null, by: { key: string } = program) =>
  service.call('POST', PATHS[path], body, {
    authorization: `Bearer ${by.key}`,
    ...(key !== null && { 'idempotency-key': key }),
  })

/** A body that records something, for each of the keyed calls. */
const BODIES: Record<keyof typeof PATHS, (by: PayingProgram) => Promise<object>> = {
  lead: async ({ link }) => ({ customer_key: unique('customer'), click_id: await givenClick(service, link) }),
  sale: async (by) => ({ customer_key: await by.customer(), amount: 1_000, invoice_id: unique('invoice') }),
  refund: async (by) => ({ invoice_id: (await givenSale(by, 1_000)).invoice_id, amount: 300 }),
}
const CALLS = Object.keys(BODIES) as (keyof typeof PATHS)[]

const refundsOf = async () => (await service.pool.query('SELECT count(*) FROM refunds')).rows[0].count
const everything = async () => [await everythingOf(service), await refundsOf()]

describe('a repeat with the same Idempotency-Key', () => {
  for (const call of CALLS) {
    test(`of a ${call} answers the stored response and has no effect`, async () => {
      const [body, key] = [await BODIES[call](program), unique('key')]
      const first = await send(call, body, key)
      expect(first.status).toBe(200)
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      const before = await everything()
      const again = await send(call, body, key)
      expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(await everything()).toEqual(before)
    })

    test(`of a ${call}, many concurrently, has one effect`, async () => {
      const [body, key] = [await BODIES[call](program), unique('key')]
      const before = Number(await refundsOf()) + (await salesOf(service, program.id)).length
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => send(call, body, key)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(answers.map((answer) => answer.body)).toEqual(answers.map(() => answers[0]?.body))
      expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
      const after = Number(await refundsOf()) + (await salesOf(service, program.id)).length
      expect(after - before).toBe(call === 'lead' ? 0 : 1)
    })

    test(`of a ${call} with another body answers 409 idempotency_key_reused`, async () => {
      const [body, key] = [await BODIES[call](program), unique('key')]
      await send(call, body, key)
      const before = await everything()
      const refused = await send(call, { ...body, reason: 'another' }, key)
      expectRefusal(refused, 409, 'idempotency_key_reused')
      expect(refused.body.error.field).toBe('Idempotency-Key')
      expect(await everything()).toEqual(before)
    })

    test(`of a ${call} that was rejected runs again`, async () => {
      const key = unique('key')
      expect((await send(call, { customer_key: 'x', amount: -1, invoice_id: 'none' }, key)).status).toBeGreaterThan(399)
      const answer = await send(call, await BODIES[call](program), key)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('idempotent-replayed')).toBeNull()
    })
  }

  test('on another path answers 409 idempotency_key_reused', async () => {
    const [body, key] = [await BODIES.sale(program), unique('key')]
    await send('sale', body, key)
    expectRefusal(await send('refund', body, key), 409, 'idempotency_key_reused')
  })

  test('in another program is a separate call', async () => {
    const other = await givenPayingProgram(service, { lead: null, sale: null, holdDays: 0, minimumPayoutCents: 0 })
    const key = unique('key')
    await send('sale', await BODIES.sale(program), key)
    const answer = await send('sale', await BODIES.sale(other), key, other)
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
  })

  test('is the same request if only the order of its fields differs', async () => {
    const key = unique('key')
    const body = { ...(await BODIES.sale(program)), metadata: { a: 1, b: { c: 2, d: 3 } } }
    await send('sale', body, key)
    const turned = Object.fromEntries(Object.entries({ ...body, metadata: { b: { d: 3, c: 2 }, a: 1 } }).reverse())
    expect((await send('sale', turned, key)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('of a test call creates no second test event', async () => {
    const [key, body] = [unique('key'), { additional_data: { test_mode: true } }]
    const before = (await testEventsOf(service, program.id)).length
    for (const call of ['sale', 'lead'] as const) {
      const first = await send(call, body, key + call)
      expect((await send(call, body, key + call)).body).toEqual(first.body)
    }
    expect(await testEventsOf(service, program.id)).toHaveLength(before + 2)
  })
})

describe('an Idempotency-Key', () => {
  for (const [name, key] of [
    ['empty', ''],
    ['longer than 255 characters', 'x'.repeat(256)],
    ['with unprintable characters', 'a\tb'],
    ['with characters outside ASCII', 'caf\u00e9'],
  ] as const)
    test(`${name} answers 400 invalid_request`, async () => {
      const refused = await send('sale', await BODIES.sale(program), key)
      expectRefusal(refused, 400, 'invalid_request')
      expect(refused.body.error.field).toBe('Idempotency-Key')
    })

  test('of 255 printable characters is accepted', async () => {
    expect((await send('sale', await BODIES.sale(program), `${'~ '.repeat(127)}!`)).status).toBe(200)
  })

  test('is kept for at least 30 days, and not forever', async () => {
    const [body, key] = [await BODIES.refund(program), unique('key')]
    await send('refund', body, key)
    const at = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS)
    await purgeIdempotencyKeys(service.db, at(29))
    expect((await send('refund', body, key)).headers.get('idempotent-replayed')).toBe('true')
    await purgeIdempotencyKeys(service.db, at(31))
    const { rows } = await service.pool.query('SELECT FROM idempotency_keys')
    expect(rows).toHaveLength(0)
  })

  test('and the request are stored as hashes: both can contain personal data', async () => {
    const customer_key = unique('jane')
    const key = `lead of ${customer_key}`
    await send('lead', { customer_key, click_id: await givenClick(service, program.link) }, key)
    const places = await foundIn(service.pool, customer_key)
    expect(places.filter((place) => place.startsWith('idempotency_keys'))).toEqual([])
  })
})

describe('without an Idempotency-Key', () => {
  test('two equal partial refunds without refund_id both count, because both may be genuine', async () => {
    const { invoice_id } = await givenSale(program, 1_000)
    for (let refunds = 0; refunds < 2; refunds++) await send('refund', { invoice_id, amount: 300 }, null)
    const { body } = await send('refund', { invoice_id, amount: 300 }, null)
    expect(body).toMatchObject({ refunded_amount: 900, reversed_amount: 90 })
  })
})
