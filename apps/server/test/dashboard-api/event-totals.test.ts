import { describe, expect, test } from 'bun:test'
import { eventList } from '@tributary/contract'
import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { givenClick, givenLink } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const { pool, clock } = service
// Start at noon: the tests advance the clock by minutes and must not cross midnight.
clock.advance(DAY_MS / 2 - (Date.now() % DAY_MS))
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' } }

const givenListed = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const list = async (query: string) => {
    const { status, body } = await program.owner.call('GET', `/api/tracking/events/${program.id}?${query}`)
    expect(status).toBe(200)
    return eventList.parse(body)
  }
  const total = async (query: string) => {
    const { pagination, atLeast } = (await list(query)).meta
    return { total: pagination.total, atLeast }
  }
  const rolledUp = async () => {
    clock.advance(10 * 60_000)
    const found = await findProgram(service.db, program.id)
    if (!found) throw new Error('no program')
    while (!(await rollUp(service.db, { program: found, at: clock.now() })));
  }
  return { ...program, list, total, rolledUp }
}
type ListedProgram = Awaited<ReturnType<typeof givenListed>>

/** All settled, one minute ago. */
const givenLeads = async ({ id, link }: ListedProgram, count: number) => {
  const row = [id, link.id, link.partnerId, clock.now(), count]
  await pool.query(
    `INSERT INTO customers (program_id, click_id, customer_status, customer_key, link_id, partner_id, credited_click_at, first_clicked_at, last_clicked_at)
     SELECT $1, 'many' || n, 'lead', 'many' || n, $2, $3, $4, $4, $4 FROM generate_series(1, $5) n`,
    row,
  )
  await pool.query(
    `INSERT INTO leads (program_id, click_id, state, settled_by, link_id, partner_id, created_at, settled_at, day)
     SELECT $1, 'many' || n, 'settled', 'server', $2, $3, $4::timestamptz - interval '1 minute', $4::timestamptz - interval '1 minute', $4::date FROM generate_series(1, $5) n`,
    row,
  )
  await pool.query('INSERT INTO changed_days (program_id, day) VALUES ($1, $2)', [id, clock.now()])
}

/** `perDay` clicks on each of the days before today, all counted. */
const givenClicks = async (
  { id, link }: ListedProgram,
  { days, perDay }: { days: number; perDay: number },
  country = 'DE',
) => {
  await pool.query(
    `INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, country, device)
     SELECT $1, gen_random_uuid(), at, at::date, 'x', $2, $3, false, $7, 'desktop'
     FROM generate_series(1, $5) ago, generate_series(1, $6), LATERAL (SELECT $4::timestamptz - ago * interval '1 day' AS at) one`,
    [id, link.id, link.partnerId, clock.now(), days, perDay, country],
  )
  await pool.query(
    `INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks)
     SELECT program_id, link_id, partner_id, day, 7, count(*) FROM click_events WHERE program_id = $1 AND click_id = 'x' GROUP BY 1, 2, 3, 4
     ON CONFLICT (program_id, link_id, partner_id, day, slot) DO UPDATE SET clicks = excluded.clicks`,
    [id],
  )
}
const dayBefore = (days: number) => new Date(clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10)

describe('the total of the event list', () => {
  test('of many leads says that there may be more, and paging reaches every page', async () => {
    const program = await givenListed()
    await givenLeads(program, 1_120)
    const seen = new Set<string>()
    const atLeastByPage: boolean[] = []
    let pageCount = 1
    for (let page = 1; page <= pageCount && page < 20; page++) {
      const { data, meta } = await program.list(`eventType=lead&pageSize=100&page=${page}`)
      for (const { id } of data) seen.add(id)
      atLeastByPage.push(meta.atLeast)
      pageCount = meta.pagination.pageCount
      expect(meta.pagination.total).toBeGreaterThanOrEqual(Math.min(1_000, seen.size))
    }
    expect(seen.size).toBe(1_120)
    expect(pageCount).toBe(12)
    // Only the last page has the exact total.
    expect(atLeastByPage).toEqual([...Array(11).fill(true), false])
    expect(await program.total('eventType=lead&pageSize=100')).toEqual({ total: 1_120, atLeast: true })
  })

  test('of many leads equals the daily counts', async () => {
    const program = await givenListed()
    await givenLeads(program, 1_120)
    await program.rolledUp()
    expect(await program.total('eventType=lead')).toEqual({ total: 1_120, atLeast: true })
    expect(await program.total('')).toEqual({ total: 1_120, atLeast: true })
    // A lead may have arrived on a different day from the one it counts on.
    expect(await program.total(`eventType=lead&dateFrom=${dayBefore(2)}`)).toEqual({ total: 1_000, atLeast: true })
  })

  test('a full last page has no next page', async () => {
    const program = await givenListed()
    await givenClicks(program, { days: 2, perDay: 2 })
    const first = await program.list('pageSize=2')
    const last = await program.list(`pageSize=2&cursor=${first.meta.nextCursor}`)
    expect([first.data.length, last.data.length, last.meta.nextCursor]).toEqual([2, 2, null])
    expect((await program.list('pageSize=4')).meta.nextCursor).toBeNull()
  })

  test('a page past the end still has the total', async () => {
    const program = await givenListed()
    await givenClicks(program, { days: 1, perDay: 3 })
    expect(await program.total('pageSize=2&page=9')).toEqual({ total: 3, atLeast: false })
  })

  test('clicks of several days are counted by day, partner and link, before and after the roll-up', async () => {
    const program = await givenListed()
    await givenClicks(program, { days: 5, perDay: 2 })
    await givenClick(service, await givenLink(service, program.id))
    await givenClick(service, program.link, { user_agent: 'Googlebot/2.1' })
    const expectAll = async () => {
      const days = `eventType=click&pageSize=1&dateFrom=${dayBefore(3)}&dateTo=${dayBefore(2)}`
      const until = `eventType=click&pageSize=1&dateFrom=${dayBefore(2)}`
      expect(await program.total(days)).toEqual({ total: 4, atLeast: false })
      expect(await program.total(until)).toEqual({ total: 6, atLeast: false })
      expect(await program.total(`${until}&linkId=${program.link.id}`)).toEqual({ total: 5, atLeast: false })
      expect(await program.total(`${until}&partnerId=${program.link.partnerId}`)).toEqual({ total: 5, atLeast: false })
      expect(await program.total(`${days}&linkId=${program.link.id}`)).toEqual({ total: 4, atLeast: false })
      // The counts cover whole days, so they cannot answer for a time within a day.
      const moment = new Date(clock.now().getTime() - 2.5 * DAY_MS).toISOString()
      expect(await program.total(`eventType=click&pageSize=1&dateFrom=${moment}`)).toEqual({ total: 6, atLeast: false })
    }
    await expectAll()
    await program.rolledUp()
    await expectAll()
  })

  test('clicks of a country are counted before the roll-up, and for several days after it', async () => {
    const program = await givenListed()
    await givenClicks(program, { days: 4, perDay: 2 })
    expect(await program.total('country=DE&pageSize=3')).toEqual({ total: 8, atLeast: true })
    await program.rolledUp()
    expect(await program.total('country=DE&pageSize=3')).toEqual({ total: 8, atLeast: true })
    expect(await program.total(`country=DE&pageSize=3&dateFrom=${dayBefore(2)}`)).toEqual({ total: 4, atLeast: true })
    expect(await program.total('country=FR')).toEqual({ total: 0, atLeast: false })
  })

  test('without a count, the newest ten thousand clicks are searched', async () => {
    const program = await givenListed()
    await givenClicks(program, { days: 1, perDay: 10_010 })
    await pool.query(
      `UPDATE click_events SET country = 'FR', clicked_at = clicked_at - interval '1 minute' WHERE program_id = $1
       AND id IN (SELECT id FROM click_events WHERE program_id = $1 LIMIT 6)`,
      [program.id],
    )
    const ofPartner = `partnerId=${program.link.partnerId}`
    expect(await program.total(`${ofPartner}&country=DE&pageSize=2`)).toEqual({ total: 10_000, atLeast: true })
    expect(await program.total(`${ofPartner}&country=FR&pageSize=2&page=2`)).toEqual({ total: 5, atLeast: true })
    expect(await program.total(`${ofPartner}&country=FR`)).toEqual({ total: 6, atLeast: false })
  })
})
