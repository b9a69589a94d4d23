import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { givenProcessor } from './processor/given-processor.ts'
import { click, givenClick, givenProgram } from './support/given.ts'
import { clickEventsOf } from './support/records.ts'
import { givenService } from './support/shared-service.ts'

const root = join(import.meta.dir, '../../..')
const service = await givenService()

describe('docs/promises.md', () => {
  const rows = readFileSync(join(root, 'docs/promises.md'), 'utf8')
    .split('\n')
    .flatMap((line) => line.match(/^\| (\d+) \| .+ \| (.+) \|$/)?.slice(1, 3) ?? [])
  const tests = rows
    .filter((_, index) => index % 2 === 1)
    .map((cell) => [...cell.matchAll(/`([^`]+)`: “([^”]+)”/g)].map(([, file, name]) => ({ file, name })))

  test('has a test for each of the twenty-five', () => {
    expect(tests).toHaveLength(25)
    expect(tests.filter((named) => named.length === 0)).toEqual([])
  })

  test('names existing tests', () => {
    const missing = tests
      .flat()
      .filter(({ file, name }) => !readFileSync(join(root, file ?? ''), 'utf8').includes(name ?? ''))
    expect(missing).toEqual([])
  })
})

test('a refund of a one-time payment without an invoice works', async () => {
  const program = await givenProcessor(service)
  const payment = await program.payment()
  await program.send(payment.intentSucceeded({ invoice: null }), payment.chargeRefunded(1_190, { invoice: null }))
  expect(await program.commissions()).toMatchObject([{ amountCents: 119, reversedCents: 119 }])
})

test('disabling a link, suspending its partner and erasing the customer delete no sale, commission or ledger line', async () => {
  const program = await givenProcessor(service)
  const payment = await program.payment()
  await program.send(payment.completed())
  const money = async () => {
    const tables = ['sales', 'commissions', 'ledgerLines', 'leads'] as const
    const rows = tables.map((table) => service.db.selectFrom(table).select('id').where('programId', '=', program.id))
    return Promise.all(rows.map((query) => query.execute()))
  }
  const before = await money()
  expect(before.map((rows) => rows.length)).not.toContain(0)
  const { id, partnerId } = program.link
  const answers = [
    await program.owner.call('PATCH', `${program.api}/links/${id}`, { active: false }),
    await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { status: 'suspended' }),
    await program.owner.call('POST', `${program.api}/customers/erase`, { customerKey: payment.customerKey }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await money()).toEqual(before)
})

test('a client address in a header is ignored without a trusted proxy', async () => {
  const { link } = await givenProgram(service)
  await click(service, { affiliate_url: link.url }, { 'x-forwarded-for': '193.0.6.139' })
  expect((await clickEventsOf(service, link.id))[0]?.country).toBeNull()
})

test('tracking calls read nothing from the query string, so URLs contain no personal data', async () => {
  const program = await givenProgram(service)
  const click_id = await givenClick(service, program.link)
  const lead = await service.call(
    'POST',
    `/api/v1/track/lead?customer_key=user-1&email=a@example.com&click_id=${click_id}`,
    {},
    { authorization: `Bearer ${program.key}` },
  )
  expect(lead).toMatchObject({ status: 400, body: { error: { code: 'missing_customer_key' } } })
})
