import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { expectVerified } from './given-unverified.ts'

setDefaultTimeout(60_000)

const service = await startTestService()

/** A customer whose first sale has used up their maximum. */
const givenFull = async () => {
  const rules = [{ pays: [{ percentBps: 1000 }], maxPerCustomerCents: 500 }]
  const program = await givenPayingProgram(service, { sale: { rules }, holdDays: 0 })
  const customer_key = await program.customer()
  const sell = async () =>
    (await program.sale({ customer_key, amount: 5_000, invoice_id: unique('invoice') })).body as {
      sale_id: number
      commission_id: number | null
    }
  const call = async (path: string, body: object) => {
    const answer = await program.owner.call('POST', `${program.api}${path}`, { reason: 'A mistake', ...body })
    expect(answer.status).toBeLessThan(300)
    return answer.body.data
  }
  const first = await sell()
  service.clock.advance(1_000)
  const { partnerId } = program.link
  const voidIt = () => call('/adjustments', { type: 'void', commissionId: first.commission_id })
  return { program, partnerId, first, sell, call, voidIt }
}
type Full = Awaited<ReturnType<typeof givenFull>>

/** Begins the change, which waits for the partner's balance, then a sale. Returns the sale's commission. */
const sellDuring = async ({ program, partnerId, sell }: Full, change: () => Promise<unknown>) => {
  const holder = await service.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM partner_accounts WHERE program_id = $1 AND partner_id = $2 FOR UPDATE', [
    program.id,
    partnerId,
  ])
  const changing = change()
  await untilWaiting(service.pool)
  service.clock.advance(1_000)
  const selling = sell()
  await Promise.race([selling, untilWaiting(service.pool, 2)])
  await holder.query('COMMIT')
  holder.release()
  await changing
  const { commission_id } = await selling
  await expectVerified(service, program)
  return commission_id
}

describe('a sale during a change of what an earlier sale has used of a maximum per customer sees the change', () => {
  test('a void makes room', async () => {
    const full = await givenFull()
    expect(await sellDuring(full, full.voidIt)).toBeNumber()
  })

  test('a void of a commission in the list makes room', async () => {
    const full = await givenFull()
    const path = `/commissions/${full.first.commission_id}/void`
    expect(await sellDuring(full, () => full.call(path, {}))).toBeNumber()
  })

  test('a sale that moves to another partner makes room', async () => {
    const full = await givenFull()
    const { owner, api } = full.program
    const ben = { name: 'Ben', email: `${unique('ben')}@example.com` }
    const { id: partnerId } = (await owner.call('POST', `${api}/partners`, ben)).body.data
    const move = { type: 'move', saleId: full.first.sale_id, partnerId }
    expect(await sellDuring(full, () => full.call('/adjustments', move))).toBeNumber()
  })

  test('a void that is undone leaves none', async () => {
    const full = await givenFull()
    const { id } = await full.voidIt()
    service.clock.advance(1_000)
    expect(await sellDuring(full, () => full.call(`/adjustments/${id}/reverse`, {}))).toBeNull()
  })
})
