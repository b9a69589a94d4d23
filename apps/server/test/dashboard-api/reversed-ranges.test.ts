import { expect, test } from 'bun:test'
import { OPERATIONS } from '@tributary/contract/operations'
import { expectRefusal } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const program = await givenPayingProgram(service, { holdDays: 0 })

/** Every route that takes a date range. */
const RANGES = OPERATIONS.filter(({ query, caller }) => query && 'dateFrom' in query.shape && caller === 'session')
const addressOf = (path: string) =>
  path.replace('{programId}', String(program.id)).replace('{dimension}', 'country').replace('{file}', 'sales.csv')

test('some routes take a range', () => expect(RANGES.length).toBeGreaterThanOrEqual(4))

test.each(RANGES.map(({ path }) => [path]))('%s rejects a range that ends before it starts', async (path) => {
  const call = (range: string) => program.owner.call('GET', `${addressOf(path)}?dimension=country&by=country&${range}`)
  const refused = await call('dateFrom=2026-03-10&dateTo=2026-03-01')
  expectRefusal(refused, 400, 'invalid_request')
  expect(refused.body.error).toMatchObject({ field: 'dateFrom', message: 'dateFrom must not be after dateTo.' })
})

test('a single day, a day with a time within it, and an open range are valid', async () => {
  const good = [
    'dateFrom=2026-03-01&dateTo=2026-03-01',
    'dateFrom=2026-03-01T20:00:00Z&dateTo=2026-03-01',
    'dateFrom=2026-03-01',
    'dateTo=2026-03-01',
  ]
  for (const range of good) {
    const { status } = await program.owner.call('GET', `/api/tracking/events/${program.id}?${range}`)
    expect([range, status]).toEqual([range, 200])
  }
  const reversed = 'dateFrom=2026-03-01T20:00:00Z&dateTo=2026-03-01T19:00:00Z'
  expectRefusal(await program.owner.call('GET', `${program.api}/sales?${reversed}`), 400, 'invalid_request')
})
