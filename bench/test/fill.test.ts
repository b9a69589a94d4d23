import { beforeAll, expect, test } from 'bun:test'
import { verifyEverything } from '../../apps/server/src/tracking/payments/verify-payments.ts'
import { givenLink } from '../../apps/server/test/support/given.ts'
import { givenPayingProgram } from '../../apps/server/test/support/money.ts'
import { SECRETS, startTestService } from '../../apps/server/test/support/service.ts'
import { isLongRun } from '../../apps/server/test/support/size.ts'
import { fill } from '../fill/fill.ts'

const AMOUNTS = { clicks: 5_000, leads: 100, sales: 25 }
const REWARD = { lead: { amountCents: 200 }, sale: { percentBps: 2_000, duration: 'lifetime' }, holdDays: 14 }

const service = await startTestService()

const givenFilled = async () => {
  const program = await givenPayingProgram(service, REWARD)
  for (let links = 0; links < 20; links++) await givenLink(service, program.id)
  await service.pool.query("UPDATE reward_terms SET valid_from = now() - interval '1 year' WHERE program_id = $1", [
    program.id,
  ])
  await fill({
    databaseUrl: service.databaseUrl,
    programId: program.id,
    hashKey: SECRETS.hashKey,
    progress: () => {},
    ...AMOUNTS,
  })
  const get = async (path: string) => (await program.owner.call('GET', path)).body.data
  return { program, get }
}

let filled: Awaited<ReturnType<typeof givenFilled>>

beforeAll(async () => {
  filled = await givenFilled()
})

test.skipIf(!isLongRun)(
  'the filler writes what the tracking calls would have written: ledger:verify finds no difference, and the pages show it',
  async () => {
    const { program, get } = filled
    const differences: string[] = []
    const { lines, blocks } = await verifyEverything(service.db, {
      sealedBefore: new Date(),
      onProgram: (_, done) => differences.push(...done.differences),
    })
    expect(differences).toEqual([])
    expect({ lines, blocks: blocks > 0 }).toEqual({ lines: 125, blocks: true })
    const { totals } = await get(`/api/tracking/performance/${program.id}?period=all`)
    expect(totals).toMatchObject(AMOUNTS)
    const { rows } = await get(`/api/tracking/breakdown/${program.id}?by=device&period=all`)
    expect(rows.map(({ value }: { value: string }) => value).toSorted()).toEqual(['desktop', 'mobile', 'tablet'])
    expect(rows.reduce((sum: number, row: { clicks: number }) => sum + row.clicks, 0)).toBe(AMOUNTS.clicks)
  },
)

test('a visitor of the filler can sign up and buy like any other', async () => {
  const { program } = filled
  const { rows } = await service.pool.query<{ click_id: string }>(
    `SELECT click_id FROM customers WHERE program_id = $1 AND customer_status = 'click' ORDER BY last_clicked_at DESC LIMIT 1`,
    [program.id],
  )
  const lead = await program.lead({ customer_key: 'a-new-one', click_id: rows[0]?.click_id })
  expect(lead).toMatchObject({ status: 200, body: { success: true, customer_key: 'a-new-one' } })
  const sale = await program.sale({ customer_key: 'a-new-one', amount: 5_000, invoice_id: 'first' })
  expect(sale).toMatchObject({ status: 200, body: { success: true } })
})
