import { describe, expect, test } from 'bun:test'
import { ensurePartitions, ensureUpcomingPartitions } from '../src/database/schema/partitions.ts'
import { dropOldClicks } from '../src/database/schema/retention.ts'
import { purgeOldRecords } from '../src/housekeeping.ts'
import { browserLead, expectRefusal, givenClick, givenProgram, givenUser, unique } from './support/given.ts'
import { givenRole } from './support/money.ts'
import { clickEventsOf, countsOf, customerOf, salesOf } from './support/records.ts'
import { DAY_MS } from './support/service.ts'
import { givenService } from './support/shared-service.ts'
import { isLongRun } from './support/size.ts'
import { untilWaiting } from './support/until-waiting.ts'
import { verifyProgram } from './support/verify-program.ts'

const service = await givenService()
const { db, clock } = service

const later = async (days: number) => {
  clock.advance(days * DAY_MS)
  await ensurePartitions(db, { since: clock.now(), at: clock.now() })
}
const drop = (days: number) => dropOldClicks(db, { days, at: clock.now() })
const differencesOf = async (programId: number) =>
  (await verifyProgram(db, { programId, sealedBefore: null })).differences

test('old months of clicks are dropped; counts, leads, sales, decisions and the ledger stay unchanged', async () => {
  const program = await givenProgram(service, { cookieWindowDays: 30, timezone: 'America/New_York' })
  const owner = await givenUser(service)
  await givenRole(service, program.workspaceId, owner, 'owner')
  await owner.call('PUT', `/api/programs/${program.id}/reward`, {
    lead: { amountCents: 500 },
    sale: null,
    holdDays: 0,
    minimumPayoutCents: 0,
  })
  const customer_key = unique('customer')
  await program.lead({ customer_key, click_id: await givenClick(service, program.link) })
  await givenClick(service, program.link)
  await later(150)
  await givenClick(service, program.link)
  const explained = await owner.call('GET', `/api/programs/${program.id}/explain?customer_key=${customer_key}`)
  expect(explained.status).toBe(200)
  const counted = await countsOf(service, { programId: program.id })

  await drop(90)
  expect(await clickEventsOf(service, program.link.id)).toHaveLength(1)
  expect(await countsOf(service, { programId: program.id })).toEqual(counted)
  expect(counted.clicks).toBe(3)
  expect(await differencesOf(program.id)).toEqual([])
  expect((await owner.call('GET', `/api/programs/${program.id}/explain?customer_key=${customer_key}`)).body).toEqual(
    explained.body,
  )
  expect((await program.sale({ customer_key, amount: 100, invoice_id: unique('in') })).body.attributed).toBe(true)
  const { body } = await owner.call('GET', `/api/tracking/events/${program.id}?eventType=click`)
  expect([body.data.length, body.meta.pagination.total]).toEqual([1, 1])
  // A page past the end takes its total from the counts only.
  const beyond = await owner.call('GET', `/api/tracking/events/${program.id}?eventType=click&page=2`)
  expect(beyond.body.meta.pagination.total).toBe(1)

  await drop(90)
  expect(await differencesOf(program.id)).toEqual([])
  await db.updateTable('dailyCounts').set({ clicks: 0 }).where('programId', '=', program.id).execute()
  expect((await differencesOf(program.id)).length).toBeGreaterThan(0)
})

test('nothing younger than the longest attribution window of a program is dropped', async () => {
  const program = await givenProgram(service, { cookieWindowDays: 365 })
  const click_id = await givenClick(service, program.link)
  await later(200)
  await drop(1)
  expect(await clickEventsOf(service, program.link.id)).toHaveLength(1)
  expect((await program.lead({ customer_key: unique('customer'), click_id })).status).toBe(200)
  await db.updateTable('programs').set({ cookieWindowDays: 30 }).execute()
})

test('a waiting sale is credited to the click before it, even after that click’s month was dropped', async () => {
  const program = await givenProgram(service, { cookieWindowDays: 60 })
  const click_id = await givenClick(service, program.link, { page_url: 'https://shop.example/private' })
  const customer_key = unique('customer')
  await program.sale({ customer_key, amount: 100, invoice_id: 'waits' })
  // The same visitor keeps returning, so the click_id is still valid.
  for (let visit = 0; visit < 4; visit++) {
    await later(50)
    await givenClick(service, program.link, { existing_click_id: click_id })
  }
  await drop(90)
  const [first, ...others] = await clickEventsOf(service, program.link.id)
  expect(others).toHaveLength(4)
  expect(first).toMatchObject({ clickId: click_id, pageUrl: null, visitorHash: null })
  expect((await customerOf(service, click_id))?.clickId).toBe(click_id)
  expect((await program.lead({ customer_key, click_id })).status).toBe(200)
  expect(await salesOf(service, program.id)).toMatchObject([{ clickId: click_id, reason: null }])
  expect(await differencesOf(program.id)).toEqual([])

  await later(120)
  await drop(90)
  expect((await clickEventsOf(service, program.link.id)).length).toBeLessThan(4)
  expect(await differencesOf(program.id)).toEqual([])
})

test('ledger:verify waits for a month that is being dropped, and finds no difference', async () => {
  const program = await givenProgram(service)
  await givenClick(service, program.link)
  await later(150)
  const { rows } = await service.pool.query<{ month: string; ends: Date }>(`
    SELECT tableoid::regclass::text AS month, date_trunc('month', clicked_at, 'UTC') + interval '1 month' AS ends
    FROM click_events WHERE program_id = ${program.id}`)
  const dropping = await service.pool.connect()
  await dropping.query('BEGIN')
  await dropping.query(`DROP TABLE ${rows[0]?.month}`)
  await dropping.query(
    'INSERT INTO click_retention VALUES (true, $1, $1) ON CONFLICT (id) DO UPDATE SET kept_since = $1',
    [rows[0]?.ends],
  )
  const verifying = differencesOf(program.id)
  await untilWaiting(service.pool)
  await dropping.query('COMMIT')
  dropping.release()
  expect(await verifying).toEqual([])
})

test('a backup that reads all clicks delays a new month and blocks no clicks; the month is created afterwards', async () => {
  const program = await givenProgram(service)
  clock.advance(400 * DAY_MS)
  const reading = await service.pool.connect()
  await reading.query('BEGIN')
  await reading.query('SELECT FROM click_events LIMIT 1')
  const making = ensureUpcomingPartitions(db, { at: clock.now() }).catch((error) => error.code)
  expect(await making).toBe('55P03')
  await givenClick(service, program.link)
  await reading.query('COMMIT')
  reading.release()
  await ensureUpcomingPartitions(db, { at: new Date(clock.now().getTime() + 40 * DAY_MS) })
  expect(await differencesOf(program.id)).toEqual([])
})

describe('records that never became a lead', () => {
  const purge = (days: number | null) => purgeOldRecords(db, { days, clock: clock.now })
  const isKept = async (clickId: string) => (await customerOf(service, clickId)) !== undefined

  test('visitors are deleted after their retention, no count changes, and those who signed up, bought or came back stay', async () => {
    const program = await givenProgram(service, { cookieWindowDays: 30 })
    const [gone, lead, provisional, buyer, returning] = await Promise.all(
      Array.from({ length: 5 }, () => givenClick(service, program.link)),
    )
    await program.lead({ customer_key: unique('customer'), click_id: lead })
    await browserLead(service, { click_id: provisional, customer_key: unique('customer') })
    await program.sale({ click_id: buyer, amount: 100, invoice_id: unique('in') })
    await later(29)
    await givenClick(service, program.link, { existing_click_id: returning })
    const counted = await countsOf(service, { programId: program.id })
    const keptOf = () => Promise.all([gone, lead, provisional, buyer, returning].map((id) => isKept(id ?? '')))

    await purge(90)
    expect(await keptOf()).toEqual([true, true, true, true, true])
    await later(100)
    await givenClick(service, program.link, { existing_click_id: returning })
    await drop(90)
    await purge(null)
    expect(await keptOf()).toEqual([true, true, true, true, true])
    await purge(90)
    expect((await keptOf()).slice(0, 4)).toEqual([false, true, true, true])
    expect(await countsOf(service, { programId: program.id })).toMatchObject({ clicks: counted.clicks + 1 })
    expect(await differencesOf(program.id)).toEqual([])
    const late = await program.lead({ customer_key: unique('customer'), click_id: gone })
    expectRefusal(late, 400, 'click_not_found')
  })

  test('visitors are deleted 400 days after their last click if no retention is set', async () => {
    const program = await givenProgram(service, { cookieWindowDays: 365 })
    const [gone = '', returning = '', lead = '', buyer = ''] = await Promise.all(
      Array.from({ length: 4 }, () => givenClick(service, program.link)),
    )
    await program.lead({ customer_key: unique('customer'), click_id: lead })
    await program.sale({ click_id: buyer, amount: 100, invoice_id: unique('in') })
    const keptOf = () => Promise.all([gone, returning, lead, buyer].map(isKept))
    await later(300)
    await givenClick(service, program.link, { existing_click_id: returning })
    await later(99)
    await purge(null)
    expect(await keptOf()).toEqual([true, true, true, true])
    await later(2)
    await purge(null)
    expect(await keptOf()).toEqual([false, true, true, true])
    expect(await differencesOf(program.id)).toEqual([])
    await db.updateTable('programs').set({ cookieWindowDays: 30 }).execute()
  })

  test.skipIf(!isLongRun)('more visitors than fit into a batch are all deleted', async () => {
    const program = await givenProgram(service, { cookieWindowDays: 30 })
    const sample = await customerOf(service, await givenClick(service, program.link))
    const rows = Array.from({ length: 4_500 }, (_, index) => ({ ...sample, clickId: `${sample?.clickId}${index}` }))
    for (let start = 0; start < rows.length; start += 500)
      await db
        .insertInto('customers')
        .values(rows.slice(start, start + 500) as never)
        .execute()
    await later(200)
    await purge(90)
    const { rows: left } = await service.pool.query('SELECT FROM customers WHERE program_id = $1', [program.id])
    expect(left).toHaveLength(0)
  })

  test('test events are deleted after a month, except the newest, so that a finished setup stays finished', async () => {
    const program = await givenProgram(service)
    const old = clock.now()
    await insertTests(program.id, { amount: 1_300, createdAt: old })
    await purge(null)
    expect(await testsOf(program.id)).toBe(1_000)
    await later(31)
    await program.sale({ additional_data: { test_mode: true } })
    await purge(null)
    expect(await testsOf(program.id)).toBe(101)
    await later(400)
    await purge(1)
    expect(await testsOf(program.id)).toBe(101)
  })

  test('a keyed test lead stays, however many test leads browsers send after it', async () => {
    const program = await givenProgram(service)
    const owner = await givenUser(service)
    await givenRole(service, program.workspaceId, owner, 'owner')
    const signUps = async () => (await owner.call('GET', `/api/programs/${program.id}/set-up`)).body.data.steps.signUps
    const sent = { eventType: 'lead', createdAt: clock.now() }
    await insertTests(program.id, { ...sent, amount: 1, origin: 'server' })
    await insertTests(program.id, { ...sent, amount: 1_300, origin: 'browser' })
    const before = await signUps()
    expect(before).toMatchObject({ done: true, received: { from: 'server', test: true } })
    await purge(null)
    expect(await testsOf(program.id)).toBe(1_001)
    expect(await signUps()).toEqual(before)
    await later(31)
    await purge(null)
    expect(await testsOf(program.id)).toBe(101)
    expect(await signUps()).toEqual(before)
  })

  type Tests = { amount: number; createdAt: Date; eventType?: string; origin?: string }
  const insertTests = (programId: number, { amount, eventType = 'click', ...rest }: Tests) =>
    db
      .insertInto('testEvents')
      .values(Array.from({ length: amount }, () => ({ programId, eventType, details: '{}', ...rest })))
      .execute()
  const testsOf = async (programId: number) => {
    const { rows } = await service.pool.query('SELECT FROM test_events WHERE program_id = $1', [programId])
    return rows.length
  }
})
