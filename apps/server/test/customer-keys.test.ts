import { describe, expect, test } from 'bun:test'
import { findCustomerByKey, lockCustomerKey, settleCustomers } from '../src/customers/customers.ts'
import { openDatabase, openPool } from '../src/database/connect.ts'
import { migrate, migrateTo } from '../src/database/migrate.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { givenClick, givenProgram, unique } from './support/given.ts'
import { createTestDatabase } from './support/postgres.ts'
import { customerOf } from './support/records.ts'
import { startTestService } from './support/service.ts'

const service = await startTestService()

test('a database of the version before knows its customers by their keys afterwards, and keys that only a sale has named', async () => {
  const pool = openPool(await createTestDatabase('template1'), { max: 1, unhurried: true })
  const db = openDatabase(pool)
  await migrateTo(db, ['0020-whose-secrets'])
  await pool.query(`
    INSERT INTO customers (program_id, click_id, customer_status, customer_key, link_id, partner_id, credited_click_at, first_clicked_at, last_clicked_at)
      SELECT 1, click_id, status, key, 1, 1, now(), now(), now()
      FROM (VALUES ('1_a', 'lead', 'ada'), ('1_b', 'customer', 'erased-b'), ('1_c', 'click', NULL)) AS c(click_id, status, key);
    INSERT INTO customer_keys (program_id, customer_key) VALUES (1, 'ada'), (1, 'stranger'), (2, 'ada')`)
  expect(await migrate(db)).toContain('0021-whose-key')
  const { rows } = await pool.query('SELECT program_id, customer_key, click_id FROM customer_keys ORDER BY 1, 2')
  expect(rows.map(Object.values)).toEqual([
    [1, 'ada', '1_a'],
    [1, 'erased-b', '1_b'],
    [1, 'stranger', null],
    [2, 'ada', null],
  ])
  await pool.end()
})

describe('a customer is named', () => {
  const givenVisitor = async () => {
    const program = await givenProgram(service)
    return { programId: program.id, clickId: await givenClick(service, program.link) }
  }
  const settle = (visitor: { programId: number; clickId: string }, customerKey: string) =>
    inTransaction(service.db, (tx) => settleCustomers(tx, [{ ...visitor, customerKey, email: null }]))
  const lock = (programId: number, customerKey: string) =>
    inTransaction(service.db, (tx) => lockCustomerKey(tx, { programId, customerKey }))

  test('by a key that was locked before', async () => {
    const visitor = await givenVisitor()
    const customerKey = unique('customer')
    await expect(settle(visitor, customerKey)).rejects.toThrow('a customer key was not free, or not locked')
    expect(await customerOf(service, visitor.clickId)).toMatchObject({ customerStatus: 'click', customerKey: null })

    await lock(visitor.programId, customerKey)
    expect(await findCustomerByKey(service.db, { programId: visitor.programId, customerKey })).toBeUndefined()
    await settle(visitor, customerKey)
    const found = await findCustomerByKey(service.db, { programId: visitor.programId, customerKey })
    expect(found).toMatchObject({ clickId: visitor.clickId, customerKey, customerStatus: 'lead' })
  })

  test('by a key that is nobody else’s', async () => {
    const program = await givenProgram(service)
    const [one, other] = [await givenClick(service, program.link), await givenClick(service, program.link)]
    const customerKey = unique('customer')
    await lock(program.id, customerKey)
    await settle({ programId: program.id, clickId: one }, customerKey)
    await expect(settle({ programId: program.id, clickId: other }, customerKey)).rejects.toThrow('was not free')
    expect(await customerOf(service, other)).toMatchObject({ customerStatus: 'click', customerKey: null })
    expect((await findCustomerByKey(service.db, { programId: program.id, customerKey }))?.clickId).toBe(one)
  })
})
