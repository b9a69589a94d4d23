import { describe, expect, test } from 'bun:test'
import { performance } from '@tributary/contract'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type { DB } from '../../src/database/tables.ts'
import { readBreakdown } from '../../src/events/overview/breakdown.ts'
import { readPerformance } from '../../src/events/overview/performance.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { expectRefusal, givenClick, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { MONEY, NO_MONEY, REWARD, trafficOf } from './given-traffic.ts'

const service = await givenService()
const { givenTraffic, rolledUp } = trafficOf(service)

describe('the overview', () => {
  test('has totals, money by currency, and the previous period', async () => {
    const program = await givenTraffic()
    const read = async (query: string) =>
      performance.parse((await program.owner.call('GET', `/api/tracking/performance/${program.id}?${query}`)).body.data)
    const now = await read('period=7d')
    expect(now.totals).toEqual({ clicks: 3, leads: 1, sales: 2, ...MONEY })
    expect(now.days.at(-1)).toMatchObject(MONEY)
    expect(now.previous?.totals).toEqual({ clicks: 0, leads: 0, sales: 0, ...NO_MONEY })
    service.clock.advance(7 * DAY_MS)
    const later = await read('period=7d')
    expect(later.totals).toEqual({ clicks: 0, leads: 0, sales: 0, ...NO_MONEY })
    expect(later.previous?.totals).toEqual(now.totals)
    expect((await read('period=all')).previous).toBeNull()
    const custom = await read(`dateFrom=${now.dateTo}&dateTo=${now.dateTo}`)
    expect(custom).toMatchObject({ period: 'custom', totals: now.totals, previous: { totals: { clicks: 0 } } })
    expect(custom.days).toHaveLength(1)
  })

  test('is the same for past days after the roll-up, including late credits', async () => {
    const program = await givenTraffic()
    const read = async () => {
      const { body } = await program.owner.call('GET', `/api/tracking/performance/${program.id}?period=30d`)
      return performance.parse(body.data)
    }
    const sold = (await read()).dateTo
    const late = { customer_key: unique('customer'), click_id: await givenClick(service, program.link) }
    await program.sale({ customer_key: late.customer_key, amount: 100, invoice_id: unique('invoice') })
    service.clock.advance(3 * DAY_MS)
    await rolledUp(program)
    const rolled = await read()
    expect(rolled.totals).toEqual({ clicks: 4, leads: 1, sales: 2, ...MONEY })
    expect(rolled.days.find(({ date }) => date === sold)).toMatchObject({ clicks: 4, leads: 1, sales: 2, ...MONEY })
    // The lead settles, and the waiting sale counts on the day it was made.
    await program.lead(late)
    const credited = await read()
    expect(credited.days.find(({ date }) => date === sold)).toMatchObject({ clicks: 4, leads: 1, sales: 3 })
    expect(credited.totals).toMatchObject({ clicks: 4, leads: 2, sales: 3 })
    await rolledUp(program)
    expect((await read()).totals).toEqual(credited.totals)
  })

  const wrong = [
    'dateTo=2026-01-01',
    'dateFrom=2026-02-30',
    'dateFrom=2026-02-01&dateTo=2026-01-01',
    'dateFrom=2001-01-01',
    'dateFrom=now',
  ]
  for (const query of wrong)
    test(`400 for ${query}`, async () => {
      const program = await givenPayingProgram(service, REWARD)
      for (const path of [`performance/${program.id}?`, `breakdown/${program.id}?by=country&`])
        expectRefusal(await program.owner.call('GET', `/api/tracking/${path}${query}`), 400, 'invalid_request')
    })
})

describe('for any number of clicks', () => {
  /** How many click events the statements of a call read, according to Postgres. */
  const clicksRead = async (read: (db: Kysely<DB>) => Promise<unknown>) => {
    const statements: { sql: string; parameters: readonly unknown[] }[] = []
    const db = new Kysely<DB>({
      dialect: new PostgresDialect({ pool: service.pool }),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
      log: ({ query }) => void statements.push(query),
    })
    await read(db)
    let rows = 0
    const visit = (node: Record<string, unknown>) => {
      if (String(node['Relation Name'] ?? '').startsWith('click_events'))
        rows += Number(node['Actual Rows']) * Number(node['Actual Loops'])
      for (const child of (node.Plans as Record<string, unknown>[] | undefined) ?? []) visit(child)
    }
    for (const { sql, parameters } of statements.filter(({ sql }) => /^\s*(select|with)/i.test(sql))) {
      const { rows: plans } = await service.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...parameters])
      visit(plans[0]['QUERY PLAN'][0].Plan)
    }
    expect(statements.length).toBeGreaterThan(1)
    return rows
  }

  test('the overview reads no click events, and a breakdown only those of the last minutes', async () => {
    const program = await givenTraffic()
    await givenSale(program, 1000)
    await rolledUp(program)
    await givenClick(service, program.link)
    const found = await findProgram(service.db, program.id)
    if (!found) throw new Error('no program')
    const at = service.clock.now()
    const period = { period: '30d' as const }
    expect(await clicksRead((db) => readPerformance(db, { program: found, query: period, at }))).toBe(0)
    for (const by of ['partner', 'link', 'country', 'landing'] as const) {
      const query = { ...period, by, sort: 'clicks' as const, limit: 10 }
      const read = await clicksRead((db) => readBreakdown(db, { program: found, query, at }))
      expect(read).toBeLessThanOrEqual(by === 'partner' || by === 'link' ? 0 : 1)
    }
  })
})
