import { describe, expect, test } from 'bun:test'
import type pg from 'pg'
import { APP_ROLE, type Database, openDatabase, openPool } from '../../src/database/connect.ts'
import { createLog } from '../../src/log.ts'
import { receiveEvent } from '../../src/processor/receive-event.ts'
import { readEvent } from '../../src/processor/stripe/translate.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { overloaded } from '../../src/refusal.ts'
import { type Crash, openBreakingDatabase } from '../money/breaking-database.ts'
import { givenLedger, givenMoney } from '../money/given-money.ts'
import { expectRefusal, unique } from '../support/given.ts'
import { SECRETS, startTestService } from '../support/service.ts'
import { sized } from '../support/size.ts'
import { givenProcessor } from './given-processor.ts'
import { stripePayment } from './stripe-events.ts'

const ledger = await givenLedger()

/** A payment that settles a lead, creates a sale and earns a commission, in a separate program. */
const givenEvent = async () => {
  const { programId, click, clock } = await givenMoney(ledger)
  const service_click_id = await click()
  clock.advance(2_000)
  const created = Math.floor(clock.now().getTime() / 1000)
  const metadata = { program_id: String(programId), service_customer_key: unique('customer'), service_click_id }
  const text = JSON.stringify(stripePayment({ metadata, created }).completed())
  const [inboxProgram, event] = [await findProgram(ledger.db, programId), readEvent(text, clock.now())]
  if (!inboxProgram || !event) throw new Error('missing program or event')
  const received = {
    source: { inboxProgram, endpointProgramId: programId, programIds: [programId], accountId: null, livemode: null },
    event,
    raw: Buffer.from(text),
  }
  const deps = { clock: clock.now, hashKey: SECRETS.hashKey, log: createLog('silent') }
  return {
    receive: (db: Database = ledger.db) => receiveEvent({ ...deps, db }, received),
    left: async () => {
      const { rows } = await ledger.pool.query(
        `SELECT (SELECT count(*)::int FROM processor_events WHERE program_id = $1) AS events,
          (SELECT count(*)::int FROM payment_reports WHERE program_id = $1) AS reports,
          (SELECT count(*)::int FROM sales WHERE program_id = $1) AS sales,
          (SELECT count(*)::int FROM leads WHERE program_id = $1) AS leads,
          (SELECT count(*)::int FROM commissions WHERE program_id = $1) AS commissions,
          (SELECT count(DISTINCT day)::int FROM changed_days WHERE program_id = $1) AS marked`,
        [programId],
      )
      return rows[0]
    },
  }
}

const NOTHING = { events: 0, reports: 0, sales: 0, leads: 0, commissions: 0, marked: 0 }
const EVERYTHING = { events: 1, reports: 1, sales: 1, leads: 1, commissions: 1, marked: 1 }

const crashAt = async (crash: Crash) => {
  const { receive, left } = await givenEvent()
  const breaking = openBreakingDatabase(ledger, crash)
  const failure = await receive(breaking.db).then(
    () => null,
    (error: Error) => error,
  )
  await breaking.close()
  expect(breaking.hasCrashed()).toBe(true)
  expect(failure).toBeInstanceOf(Error)
  const found = await left()
  expect([NOTHING, EVERYTHING]).toContainEqual(found)
  await receive()
  await receive()
  expect(await left()).toEqual(EVERYTHING)
  return found.events === 0 ? 'nothing' : 'everything'
}

test('a connection that breaks before or after any statement leaves everything or nothing; the retry completes it once', async () => {
  const whole = openBreakingDatabase(ledger, { statement: Number.POSITIVE_INFINITY, when: 'after' })
  await (await givenEvent()).receive(whole.db)
  await whole.close()
  const commit = whole.statements.indexOf('commit') + 1
  expect(commit).toBeGreaterThan(10)
  const places = sized({
    short: [1, Math.ceil(commit / 2), commit],
    long: whole.statements.map((_, index) => index + 1),
  })
  const lanes = (['before', 'after'] as const).map(async (when) => {
    const ends: string[] = []
    for (const statement of places) ends.push(await crashAt({ statement, when }))
    return ends
  })
  const ends = (await Promise.all(lanes)).flat()
  // Only the response to the COMMIT can be lost after the work was done.
  expect(ends.filter((end) => end === 'everything')).toHaveLength(1)
}, 60_000)

test('an event without a free connection is not stored as failed: the processor sends it again', async () => {
  const { receive, left } = await givenEvent()
  const pool = openPool(ledger.databaseUrl, { max: 1, role: APP_ROLE })
  let refusals = 1
  const connect = async () => {
    if (refusals-- > 0) throw overloaded('connections_delay')
    return pool.connect()
  }
  const busy = openDatabase({ connect, end: () => pool.end() } as unknown as pg.Pool)
  await expect(receive(busy)).rejects.toMatchObject({ code: 'overloaded' })
  expect(await left()).toEqual(NOTHING)
  await receive(busy)
  expect(await left()).toEqual(EVERYTHING)
  await pool.end()
})

describe('the webhook', () => {
  test('answers 503 with Retry-After when the database goes away mid-event, and accepts the retry', async () => {
    const service = await startTestService()
    const program = await givenProcessor(service)
    const given = (await program.payment()).completed()
    const blocker = await service.pool.connect()
    await blocker.query('BEGIN; LOCK TABLE sales IN ACCESS EXCLUSIVE MODE')
    const answer = program.deliver(given)
    const blocked = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'tributary processor' AND wait_event_type = 'Lock'`
    while ((await service.pool.query(blocked)).rowCount === 0) await Bun.sleep(5)
    const refused = await answer
    expectRefusal(refused, 503, 'unavailable')
    expect(refused.headers.get('retry-after')).toBe('2')
    await blocker.query('ROLLBACK')
    blocker.release()
    expect(await program.inbox()).toEqual([])
    await program.send(given)
    expect(await program.sales()).toHaveLength(1)
    expect(await program.commissions()).toHaveLength(1)
  })

  test.each([
    'a replay',
    'another delivery',
  ])('stores an event that this service fails on, and %s applies it', async (by) => {
    const service = await startTestService()
    const program = await givenProcessor(service)
    const given = (await program.payment()).completed()
    await service.pool.query('ALTER TABLE payment_reports ADD CONSTRAINT broken CHECK (false) NOT VALID')
    await program.send(given)
    await program.send(given)
    expect(await program.events()).toMatchObject([{ id: given.id, fate: 'waiting', reason: 'not_processed' }])
    expect(await program.sales()).toEqual([])
    await service.pool.query('ALTER TABLE payment_reports DROP CONSTRAINT broken')
    const replay = { since: '2020-01-01', dryRun: false }
    if (by === 'a replay') await program.owner.call('POST', `${program.api}/processor/replay`, replay)
    else await program.send(given, given)
    expect(await program.events()).toMatchObject([{ id: given.id, fate: 'applied' }])
    expect(await program.sales()).toHaveLength(1)
  })
})
