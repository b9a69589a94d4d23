import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { expectRefusal, givenProgram, type TestProgram } from './support/given.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

const SALE = { customer_key: 'user-1', amount: 100, currency: 'EUR', invoice_id: 'in-1' }
const METADATA = { plan: 'pro', cart: { seats: 3, notes: [{ b: 1, a: 2 }, 'x'] }, 7: 'seven' }
const IN_ANOTHER_ORDER = { cart: { notes: [{ a: 2, b: 1 }, 'x'], seats: 3 }, 7: 'seven', plan: 'pro' }

const sentAgain = async (program: TestProgram, metadata: object) => {
  const answer = await program.sale({ ...SALE, metadata })
  expectRefusal(answer, 409, 'duplicate_invoice')
  return answer.body.same_request
}

test('a sale is the same request in any order of its metadata', async () => {
  const program = await givenProgram(service)
  await program.sale({ ...SALE, metadata: METADATA })
  expect(await sentAgain(program, METADATA)).toBe(true)
  expect(await sentAgain(program, IN_ANOTHER_ORDER)).toBe(true)
})

test('another value, another key or another list order is a different request', async () => {
  const program = await givenProgram(service)
  await program.sale({ ...SALE, metadata: METADATA })
  for (const metadata of [
    { ...METADATA, plan: 'solo' },
    { ...METADATA, more: null },
    { ...METADATA, cart: { seats: 3, notes: ['x', { b: 1, a: 2 }] } },
    { ...METADATA, cart: {} },
    {},
  ])
    expect(await sentAgain(program, metadata)).toBe(false)
})

test('a sale with an old hash, which depends on metadata order, is still recognized in that order', async () => {
  const program = await givenProgram(service)
  await program.sale({ ...SALE, metadata: METADATA })
  const words = ['in-1', 'user-1', null, 100, 'EUR', null, null, METADATA]
  const requestHash = createHash('sha256').update(JSON.stringify(words)).digest()
  await service.db.updateTable('sales').set({ requestHash }).where('programId', '=', program.id).execute()
  expect(await sentAgain(program, METADATA)).toBe(true)
  expect(await sentAgain(program, { ...METADATA, plan: 'solo' })).toBe(false)
})
