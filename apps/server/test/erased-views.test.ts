import { expect, test } from 'bun:test'
import { givenPayingProgram, givenSale } from './support/money.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

test('an erasure also removes the customer from saved views and from what was written about them', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 })
  const { customer_key } = await givenSale(program, 1_000)
  const view = { list: 'customers', name: 'Ada', shared: true, search: { search: customer_key }, columns: [] }
  const made = await program.owner.call('POST', `${program.api}/views`, view)
  expect(made.status).toBe(201)
  expect(
    (await program.owner.call('POST', `${program.api}/customers/erase`, { customerKey: customer_key })).status,
  ).toBe(200)
  const rest = async (sql: string) => (await service.pool.query(sql, [`%${customer_key}%`])).rowCount
  expect({
    views: await rest(`SELECT FROM saved_views WHERE search::text LIKE $1`),
    audit: await rest(`SELECT FROM audit_entries WHERE after::text LIKE $1 OR before::text LIKE $1`),
  }).toEqual({ views: 0, audit: 0 })
})
