import { describe, expect, test } from 'bun:test'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { sized } from '../support/size.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 0 }

/** A program with more commissions than a page would show. */
const givenLongLists = async (length: number) => {
  const program = await givenPayingProgram(service, REWARD)
  const partnerId = program.link.partnerId
  const client = await service.pool.connect()
  // These rows have no sales: the lists under test do not read them.
  await client.query('SET session_replication_role = replica')
  await client.query(
    `WITH earned AS (
       INSERT INTO commissions (program_id, kind, sale_id, partner_id, amount_cents, currency, terms_version, earned_at, payable_at)
       SELECT $1, 'sale', n, $2, 1 + n % 7, 'USD', 1, now() - n % 100 * interval '1 hour', now() FROM generate_series(1, $3::int) n
       RETURNING id, amount_cents)
     INSERT INTO ledger_lines (program_id, partner_id, currency, from_account, to_account, amount_cents, available_at, cause, commission_id, created_at)
     SELECT $1, $2, 'USD', 'program', 'earned', amount_cents, now(), 'sale', id, now() FROM earned`,
    [program.id, partnerId, length],
  )
  await client.query(
    `INSERT INTO audit_entries (program_id, action, subject, created_at)
     SELECT $1, 'action ' || n % 3, 'subject ' || n, now() FROM generate_series(1, $2::int) n`,
    [program.id, length],
  )
  await client.query('SET session_replication_role = DEFAULT')
  await client.query('ANALYZE commissions, ledger_lines, audit_entries')
  client.release()
  const file = async (list: string) => {
    const url = `${service.url}${program.api}/${list}${list.includes('?') ? '&' : '?'}format=csv`
    const response = await fetch(url, { headers: { cookie: program.owner.cookie } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    return (await response.text()).trimEnd().split('\r\n').slice(1)
  }
  return { ...program, partnerId, file }
}

const idsOf = (lines: string[]) => lines.map((line) => Number(line.split(',')[0]))

describe('a list exported as a file', () => {
  test('has every row, however many there are', async () => {
    const length = sized({ short: 5_300, long: 100_300 })
    const { file, partnerId } = await givenLongLists(length)
    for (const list of [`partners/${partnerId}/ledger`, 'audit']) {
      const ids = idsOf(await file(list))
      expect([list, new Set(ids).size >= length, ids.length - new Set(ids).size]).toEqual([list, true, 0])
    }
  }, 120_000)

  test('has the rows in list order, also where equal sort keys span two batches', async () => {
    const { file, partnerId, owner, api } = await givenLongLists(1_100)
    const onScreen = async (list: string) => {
      const ids: number[] = []
      for (let page = 1; ; page++) {
        const { body } = await owner.call('GET', `${api}/${list}&pageSize=200&page=${page}`)
        ids.push(...body.data.map((row: { id: number }) => row.id))
        if (page >= body.meta.pagination.pageCount) return ids
      }
    }
    const sorted = (list: string, fields: string[]) =>
      fields.flatMap((field) => [`${list}sort=${field}`, `${list}sort=-${field}`])
    const lists = [
      ...sorted('commissions?', ['earnedAt', 'payableAt', 'amountCents']),
      ...sorted('commissions?state=payable&', ['earnedAt']),
      ...sorted(`partners/${partnerId}/ledger?`, ['createdAt']),
      ...sorted('audit?', ['createdAt', 'action']),
      ...sorted('audit?search=action+1&', ['action']),
    ]
    // Each list in one order or the other.
    for (const list of sized({ short: lists.filter((_, index) => index % 3 === 0), long: lists })) {
      const ids = await onScreen(list)
      expect(ids.length).toBeGreaterThan(300)
      expect([list, idsOf(await file(list))]).toEqual([list, ids])
    }
    expect(await file('commissions?state=paid')).toEqual([])
  }, 60_000)

  test('of balances has every partner', async () => {
    const { file, id } = await givenLongLists(1)
    await service.pool.query(
      `INSERT INTO partners (program_id, name, code, status, created_at)
       SELECT $1, 'P' || n, 'c' || n, 'approved', now() FROM generate_series(1, 1200) n`,
      [id],
    )
    await service.pool.query(
      `INSERT INTO ledger_lines (program_id, partner_id, currency, from_account, to_account, amount_cents, available_at, cause, created_at)
       SELECT $1, id, 'USD', 'program', 'earned', 100, now(), 'sale', now() FROM partners WHERE program_id = $1`,
      [id],
    )
    await service.pool.query('ANALYZE partners, ledger_lines')
    expect((await file('balances')).length).toBe(1_201)
  }, 60_000)
})
