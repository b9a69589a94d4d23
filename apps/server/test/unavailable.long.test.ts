import { expect, test } from 'bun:test'
import { givenClick, unique } from './support/given.ts'
import { givenPayingProgram } from './support/money.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' } })
const customer_key = await program.customer()
const click = { affiliate_url: `https://shop.example/?aff=${program.link.aff}` }
const click_id = await givenClick(service, program.link)

const scrape = async () => (await fetch(`${service.url}/metrics`)).text()

/** Requests answered with 503, by reason. */
const reasonsIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^tributary_unavailable_total\{reason="(\w+)"\} (\d+)$/gm)].map(([, reason, count]) => [
      reason,
      Number(count),
    ]),
  )

const sumOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0)

/** Runs the call while a table that it needs is locked. */
const whileLocked = async <T>(table: string, call: () => Promise<T>): Promise<T> => {
  const client = await service.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    return await call()
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

test.each([
  ['a sale', 'sales', () => program.sale({ customer_key, amount: 100, invoice_id: unique('inv') })],
  ['a lead', 'leads', () => program.lead({ customer_key: unique('c'), click_id })],
  ['a list', 'partners', () => program.owner.call('GET', `${program.api}/partners`)],
  ['a click', 'click_events', () => service.call('POST', '/api/v1/track/click', click)],
  ['the readiness check', 'readiness', () => service.call('GET', '/readyz')],
])('%s that gets 503 says when to retry, and operators see the reason', async (_, table, call) => {
  const before = reasonsIn(await scrape())
  const answer = await whileLocked(table, call)
  expect(answer).toMatchObject({
    status: 503,
    body: { error: { code: expect.stringMatching(/^(overloaded|unavailable)$/) } },
  })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  const text = await scrape()
  const added = Object.entries(reasonsIn(text)).filter(([reason, count]) => count !== (before[reason] ?? 0))
  expect(added).toHaveLength(1)
  expect(added[0]?.[0]).not.toBe('other')
  const answered = [...text.matchAll(/^tributary_requests_total\{.*status="503"\} (\d+)$/gm)].map(([, n]) => Number(n))
  expect(sumOf(Object.values(reasonsIn(text)))).toBe(sumOf(answered))
})
