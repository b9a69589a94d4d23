import { describe, expect, test } from 'bun:test'
import { expectRefusal, givenClick, givenLink, givenProgram, unique } from './support/given.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

type Program = Awaited<ReturnType<typeof givenProgram>>

const givenCustomer = async (program: Program, link = program.link) => {
  const customer_key = unique('customer')
  const { status } = await program.lead({ customer_key, click_id: await givenClick(service, link) })
  expect(status).toBe(200)
  return customer_key
}

/** Holds what every sale and lead of a partner needs. */
const lockPartner = async (partnerId: number) => {
  const client = await service.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM partners WHERE id = $1 FOR UPDATE', [partnerId])
  return {
    release: async () => {
      await client.query('ROLLBACK')
      client.release()
    },
  }
}

const CALLS = 20

describe('calls of a merchant, while another merchant waits for a lock', () => {
  test('are answered, and only those that wait get 503, with Retry-After', async () => {
    const [a, b] = [await givenProgram(service), await givenProgram(service)]
    const [ofA, ofB] = [await givenCustomer(a), await givenCustomer(b)]
    const ofSecondPartner = await givenCustomer(a, await givenLink(service, a.id))
    const clicks = await Promise.all(Array.from({ length: CALLS }, () => givenClick(service, b.link)))
    const sale = (program: Program, customer_key: string) =>
      program.sale({ customer_key, amount: 1_000, invoice_id: unique('invoice') })
    const held = await lockPartner(a.link.partnerId)
    const ofSameMerchant = [sale(a, ofSecondPartner), sale(a, ofSecondPartner)]
    const calls = clicks.map((click_id) => ({
      waiting: sale(a, ofA),
      free: [sale(b, ofB), b.lead({ customer_key: unique('customer'), click_id })],
    }))
    const free = await Promise.all([...ofSameMerchant, ...calls.flatMap((one) => one.free)])
    const waiting = await Promise.all(calls.map((one) => one.waiting))
    await held.release()
    expect(free.map(({ status }) => status)).toEqual(free.map(() => 200))
    for (const answer of waiting) {
      expectRefusal(answer, 503, answer.body.error.code)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    // Afterwards, everything is as before.
    expect((await sale(a, ofA)).status).toBe(200)
    expect((await sale(b, ofB)).status).toBe(200)
  })

  test('a call that waits succeeds once it gets its lock', async () => {
    const program = await givenProgram(service)
    const customer_key = await givenCustomer(program)
    const held = await lockPartner(program.link.partnerId)
    const sales = Array.from({ length: 5 }, () =>
      program.sale({ customer_key, amount: 1_000, invoice_id: unique('invoice') }),
    )
    await Bun.sleep(600)
    await held.release()
    expect((await Promise.all(sales)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })
})
