import { describe, expect, test } from 'bun:test'
import { breakdown } from '@tributary/contract'
import { expectRefusal, givenClick, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { IPHONE, MONEY, NO_MONEY, REWARD, trafficOf } from './given-traffic.ts'

const service = await givenService()
const { givenTraffic, rolledUp } = trafficOf(service)

const breakdownBy = async (program: PayingProgram, by: string, more = '') => {
  const { status, body } = await program.owner.call('GET', `/api/tracking/breakdown/${program.id}?by=${by}${more}`)
  expect(status).toBe(200)
  return breakdown.parse(body.data)
}

describe('a breakdown', () => {
  test('is the same for events of this minute and for rolled-up ones', async () => {
    const program = await givenTraffic({ timezone: 'Pacific/Kiritimati' })
    const groupName = 'Default'
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
        { value: String(program.link.partnerId), label: 'Partner', groupName, clicks: 2, leads: 1, sales: 2, ...MONEY },
        {
          value: String(program.other.partnerId),
          label: 'Partner',
          groupName,
          clicks: 1,
          leads: 0,
          sales: 0,
          ...NO_MONEY,
        },
      ],
    }
    for (const [by, rows] of Object.entries(expected))
      expect((await breakdownBy(program, by)).rows).toEqual(rows as never)
    await rolledUp(program)
    const { rows } = await service.pool.query(
      'SELECT sum(clicks)::int AS n FROM daily_breakdowns WHERE program_id = $1 AND dimension = $2',
      [program.id, 'os'],
    )
    expect(rows[0].n).toBe(3)
    for (const [by, rows] of Object.entries(expected))
      expect((await breakdownBy(program, by)).rows).toEqual(rows as never)
    await rolledUp(program)
    await rolledUp(program)
    for (const [by, rows] of Object.entries(expected))
      expect((await breakdownBy(program, by)).rows).toEqual(rows as never)
    expect((await breakdownBy(program, 'os', '&sort=sales&limit=1')).rows).toMatchObject([
      { value: 'Windows', sales: 2 },
    ])
    for (const sort of ['revenue', 'commissions']) {
      const top = async (by: string) => (await breakdownBy(program, by, `&sort=${sort}&limit=1`)).rows
      expect(await top('device')).toEqual([expected.device[1]] as never)
      expect(await top('link')).toEqual([expected.link[0]] as never)
      expect(await top('partner')).toEqual([expected.partner[0]] as never)
    }
  })

  test('concurrent readers count nothing twice, and a late-credited sale is on the day it was made', async () => {
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

  test('a click committed long after its time is counted once its day has ended', async () => {
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

  test('invented referrers are grouped once there are too many', async () => {
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

  test('the event list has the same number of clicks before and after the roll-up, crawlers included', async () => {
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

  test('requires a valid dimension, or names the error', async () => {
    const program = await givenPayingProgram(service, REWARD)
    for (const [query, message] of [
      ['', /^by is missing\.$/],
      ['by=planet', /^by must be one of partner, group, link, country, /],
      ['by=country&limit=0', /^limit must be at least 1\.$/],
      ['by=country&limit=101', /^limit must be at most 100\.$/],
      ['by=country&limit=1.5', /^limit must be a whole number\.$/],
      ['by=country&sort=name', /^sort must be one of clicks, leads, sales, revenue, commissions\.$/],
      ['by=country&period=1y', /^period must be one of today, 7d, 30d, 90d, all\.$/],
    ] as const) {
      const refused = await program.owner.call('GET', `/api/tracking/breakdown/${program.id}?${query}`)
      expectRefusal(refused, 400, 'invalid_request')
      expect(refused.body.error.message).toMatch(message)
    }
  })
})
