import { describe, expect, test } from 'bun:test'
import { breakdown, performance } from '@tributary/contract'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type { DB } from '../../src/database/tables.ts'
import { breakdownOf } from '../../src/events/breakdown.ts'
import { performanceOf } from '../../src/events/performance.ts'
import { rollUp } from '../../src/events/roll-up.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { expectRefusal, givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale, type PayingProgram } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'

const service = await startTestService()
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, lead: { amountCents: 50 } }
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1'

const givenTraffic = async (settings = {}) => {
  const program = await givenPayingProgram(service, REWARD, settings)
  const other = await givenLink(service, program.id)
  const desktop = {
    user_agent: CHROME,
    referrer_url: 'https://www.Blog.example/post?id=7',
    page_url: 'https://shop.example/pricing/?utm=x#top',
  }
  const click_id = await givenClick(service, program.link, desktop)
  await givenClick(service, program.link, { user_agent: IPHONE, page_url: 'https://shop.example/' })
  await givenClick(service, other, { user_agent: IPHONE, referrer_url: 'android-app://com.example.app' })
  await givenClick(service, other, { user_agent: 'Googlebot/2.1' })
  const customer_key = unique('customer')
  await program.lead({ customer_key, click_id })
  await program.sale({ customer_key, amount: 2000, invoice_id: unique('invoice') })
  await program.sale({ customer_key, amount: 700, invoice_id: unique('invoice'), currency: 'EUR' })
  await program.sale({ customer_key: 'nobody', amount: 999, invoice_id: unique('invoice') })
  return { ...program, other, customer_key }
}

const breakdownBy = async (program: PayingProgram, by: string, more = '') => {
  const { status, body } = await program.owner.call('GET', `/api/tracking/breakdown/${program.id}?by=${by}${more}`)
  expect(status).toBe(200)
  return breakdown.parse(body.data)
}
const rolledUp = async (program: PayingProgram) => {
  service.clock.advance(10 * 60_000)
  const found = await findProgram(service.db, program.id)
  if (!found) throw new Error('no program')
  while (!(await rollUp(service.db, { program: found, at: service.clock.now() })));
}
const MONEY = {
  revenue: [
    { currency: 'EUR', amountCents: 700 },
    { currency: 'USD', amountCents: 2000 },
  ],
  commissions: [
    { currency: 'EUR', amountCents: 70 },
    { currency: 'USD', amountCents: 250 },
  ],
}
const NO_MONEY = { revenue: [], commissions: [] }

describe('the overview', () => {
  test('has totals, money by currency, and the period before', async () => {
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

  test('says the same of days that are over once they are rolled up, and of what is credited to them later', async () => {
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
    // The lead settles, and the sale that waited for it counts on the day on which it was made.
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

describe('a breakdown', () => {
  test('says the same of the events of this minute and of those that were rolled up', async () => {
    const program = await givenTraffic({ timezone: 'Pacific/Kiritimati' })
    const expected = {
      device: [
        { value: 'mobile', label: 'mobile', clicks: 2, leads: 0, sales: 0, ...NO_MONEY },
        { value: 'desktop', label: 'desktop', clicks: 1, leads: 1, sales: 2, ...MONEY },
      ],
      referrer: [
        { value: null, label: null, clicks: 1, leads: 0, sales: 0, ...NO_MONEY },
        { value: 'blog.example', label: 'blog.example', clicks: 1, leads: 1, sales: 2, ...MONEY },
        { value: 'com.example.app', label: 'com.example.app', clicks: 1, leads: 0, sales: 0, ...NO_MONEY },
      ],
      landing: [
        { value: null, label: null, clicks: 1, leads: 0, sales: 0, ...NO_MONEY },
        { value: 'shop.example', label: 'shop.example', clicks: 1, leads: 0, sales: 0, ...NO_MONEY },
        { value: 'shop.example/pricing', label: 'shop.example/pricing', clicks: 1, leads: 1, sales: 2, ...MONEY },
      ],
      link: [
        { value: String(program.link.id), label: program.link.aff, clicks: 2, leads: 1, sales: 2, ...MONEY },
        { value: String(program.other.id), label: program.other.aff, clicks: 1, leads: 0, sales: 0, ...NO_MONEY },
      ],
      partner: [
        { value: String(program.link.partnerId), label: 'Partner', clicks: 2, leads: 1, sales: 2, ...MONEY },
        { value: String(program.other.partnerId), label: 'Partner', clicks: 1, leads: 0, sales: 0, ...NO_MONEY },
      ],
    }
    for (const [by, rows] of Object.entries(expected)) expect((await breakdownBy(program, by)).rows).toEqual(rows)
    await rolledUp(program)
    const { rows } = await service.pool.query(
      'SELECT sum(clicks)::int AS n FROM daily_breakdowns WHERE program_id = $1 AND dimension = $2',
      [program.id, 'os'],
    )
    expect(rows[0].n).toBe(3)
    for (const [by, rows] of Object.entries(expected)) expect((await breakdownBy(program, by)).rows).toEqual(rows)
    await rolledUp(program)
    await rolledUp(program)
    for (const [by, rows] of Object.entries(expected)) expect((await breakdownBy(program, by)).rows).toEqual(rows)
    expect((await breakdownBy(program, 'os', '&sort=sales&limit=1')).rows).toMatchObject([
      { value: 'Windows', sales: 2 },
    ])
  })

  test('readers at once count nothing twice, and a sale that is credited late is in the day it was made', async () => {
    const program = await givenTraffic()
    service.clock.advance(DAY_MS)
    await Promise.all(Array.from({ length: 8 }, () => breakdownBy(program, 'device')))
    const late = unique('late')
    await program.sale({ customer_key: late, amount: 500, invoice_id: unique('invoice') })
    const click_id = await givenClick(service, program.link, { user_agent: IPHONE })
    await rolledUp(program)
    await program.sale({ customer_key: 'x', amount: 500, invoice_id: unique('invoice'), click_id })
    await program.lead({ customer_key: late, click_id })
    const [mobile] = (await breakdownBy(program, 'device', '&sort=clicks')).rows
    expect(mobile).toMatchObject({ value: 'mobile', clicks: 3, leads: 1, sales: 1 })
    await rolledUp(program)
    expect((await breakdownBy(program, 'device')).rows[0]).toEqual(mobile as never)
  })

  test('a click that was committed long after its time is found when its day is over', async () => {
    const program = await givenTraffic()
    await rolledUp(program)
    await service.pool.query(
      `WITH late AS (
        INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, device)
        SELECT program_id, gen_random_uuid(), clicked_at, day, click_id, link_id, partner_id, true, 'tv' FROM click_events WHERE program_id = $1 LIMIT 1
        RETURNING *)
       INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks) SELECT program_id, link_id, partner_id, day, 9, 1 FROM late`,
      [program.id],
    )
    expect((await breakdownBy(program, 'device')).rows.map(({ value }) => value)).not.toContain('tv')
    service.clock.advance(3 * DAY_MS)
    await rolledUp(program)
    const { rows } = await breakdownBy(program, 'device')
    expect(rows.map(({ value, clicks, leads, sales }) => ({ value, clicks, leads, sales }))).toEqual([
      { value: 'mobile', clicks: 2, leads: 0, sales: 0 },
      { value: 'desktop', clicks: 1, leads: 1, sales: 2 },
      { value: 'tv', clicks: 1, leads: 0, sales: 0 },
    ])
  })

  test('referrers that somebody invents are kept together once there are too many', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await service.pool.query(
      `INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, referrer_url)
       SELECT $1, gen_random_uuid(), $4::timestamptz - interval '3 hours', $4::date, 'x', $2, $3, false, 'https://h' || n || '.example/' FROM generate_series(1, 900) n`,
      [program.id, program.link.id, program.link.partnerId, service.clock.now()],
    )
    await rolledUp(program)
    const { rows } = await service.pool.query(
      `SELECT count(*)::int AS values, sum(clicks)::int AS clicks FROM daily_breakdowns WHERE program_id = $1 AND dimension = 'referrer'`,
      [program.id],
    )
    expect(rows[0]).toEqual({ values: 201, clicks: 900 })
    expect((await breakdownBy(program, 'referrer')).rows[0]).toMatchObject({ value: '(other)', clicks: 700 })
  })

  test('the list of events has as many clicks before and after they are rolled up, crawlers included', async () => {
    const program = await givenTraffic()
    const total = async (more = '') => {
      const path = `/api/tracking/events/${program.id}?eventType=click&test=false&pageSize=1${more}`
      const { pagination, atLeast } = (await program.owner.call('GET', path)).body.meta
      return { total: pagination.total, atLeast }
    }
    const expectFour = async () => {
      expect(await total()).toEqual({ total: 4, atLeast: false })
      expect(await total(`&linkId=${program.other.id}`)).toEqual({ total: 2, atLeast: false })
    }
    await expectFour()
    await rolledUp(program)
    await expectFour()
    await givenClick(service, program.link)
    expect(await total()).toEqual({ total: 5, atLeast: false })
  })

  test('needs a word for what it is by, and is told what is wrong', async () => {
    const program = await givenPayingProgram(service, REWARD)
    for (const [query, message] of [
      ['', /^by is missing\.$/],
      ['by=planet', /^by must be one of partner, link, country, /],
      ['by=country&limit=0', /^limit must be at least 1\.$/],
      ['by=country&limit=101', /^limit must be at most 100\.$/],
      ['by=country&limit=1.5', /^limit must be a whole number\.$/],
      ['by=country&sort=name', /^sort must be one of clicks, leads, sales\.$/],
      ['by=country&period=1y', /^period must be one of 7d, 30d, 90d, all\.$/],
    ] as const) {
      const refused = await program.owner.call('GET', `/api/tracking/breakdown/${program.id}?${query}`)
      expectRefusal(refused, 400, 'invalid_request')
      expect(refused.body.error.message).toMatch(message)
    }
  })
})

describe('however many clicks there are', () => {
  /** What the statements of a call really read of the click events, as Postgres says it. */
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

  test('the overview reads none of them, and a breakdown only those of the last minutes', async () => {
    const program = await givenTraffic()
    await givenSale(program, 1000)
    await rolledUp(program)
    await givenClick(service, program.link)
    const found = await findProgram(service.db, program.id)
    if (!found) throw new Error('no program')
    const at = service.clock.now()
    const period = { period: '30d' as const }
    expect(await clicksRead((db) => performanceOf(db, { program: found, query: period, at }))).toBe(0)
    for (const by of ['partner', 'link', 'country', 'landing'] as const) {
      const query = { ...period, by, sort: 'clicks' as const, limit: 10 }
      const read = await clicksRead((db) => breakdownOf(db, { program: found, query, at }))
      expect(read).toBeLessThanOrEqual(by === 'partner' || by === 'link' ? 0 : 1)
    }
  })
})
