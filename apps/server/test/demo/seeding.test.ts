import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { announcement } from '../../src/announcement.ts'
import type { Database } from '../../src/database/connect.ts'
import { readDemoSignIn } from '../../src/demo/demo-sign-in.ts'
import { seedDemo } from '../../src/demo/seed-demo.ts'
import { SECRETS } from '../support/service.ts'
import { countRows, givenDatabase, givenFolder, rowsOf } from './given.ts'

const TODAY = new Date('2026-05-13T07:30:00Z')
const seed = (db: Database, { at = TODAY, dataDir = givenFolder() } = {}) =>
  seedDemo(db, { clock: () => at, dataDir, hashKey: SECRETS.hashKey })

describe('seeding', () => {
  /** Everything but what must be unguessable: identifiers of clicks and events. */
  const traffic = (of: Database) =>
    rowsOf(
      of,
      sql`SELECT clicked_at AS at, link_id, country, device, browser, referrer_url AS text, 0 AS amount FROM click_events
        UNION ALL SELECT created_at, link_id, state, settled_by, NULL, settled_at::text, 0 FROM leads
        UNION ALL SELECT sold_at, link_id, customer_key, event_name, subscription_id, reason, amount_cents FROM sales
        ORDER BY 1, 2, 3`,
    )

  test('gives the same data for the same day, and other dates on another', async () => {
    const [one, two, later] = await Promise.all([givenDatabase(), givenDatabase(), givenDatabase()])
    expect(await seed(one)).toBe(true)
    expect(await seed(two, { at: new Date('2026-05-13T22:59:00Z') })).toBe(true)
    expect(await seed(later, { at: new Date('2026-05-14T00:00:00Z') })).toBe(true)
    const first = await traffic(one)
    expect(first.length).toBeGreaterThan(5_000)
    expect(await traffic(two)).toEqual(first)
    expect(await traffic(later)).not.toEqual(first)
  })

  test('happens once, also when everything was deleted afterwards', async () => {
    const database = await givenDatabase()
    const folder = givenFolder()
    await seed(database, { dataDir: folder })
    const password = readDemoSignIn(folder)?.password
    expect(await seed(database, { dataDir: folder })).toBe(false)
    expect(readDemoSignIn(folder)?.password).toBe(password ?? '')
    await sql`TRUNCATE users, workspaces, customers, click_events, daily_counts, leads, sales RESTART IDENTITY CASCADE`.execute(
      database,
    )
    await sql`INSERT INTO demo_seed (id, decided_at) VALUES (true, now()) ON CONFLICT DO NOTHING`.execute(database)
    expect(await seed(database, { dataDir: folder })).toBe(false)
    expect(await countRows(database)).toMatchObject({ users: 0, clicks: 0 })
  })

  test('leaves an instance alone that somebody uses already, for good', async () => {
    const database = await givenDatabase()
    await database.insertInto('users').values({ id: 'ada', name: 'Ada', email: 'ada@example.com' }).execute()
    const folder = givenFolder()
    expect(await seed(database, { dataDir: folder })).toBe(false)
    await database.deleteFrom('users').execute()
    expect(await seed(database, { dataDir: folder })).toBe(false)
    expect(await countRows(database)).toMatchObject({ users: 0, programs: 0, clicks: 0 })
    expect(readDemoSignIn(folder)).toBeNull()
  })

  test('by two processes at once happens in one of them', async () => {
    const database = await givenDatabase()
    const results = await Promise.all([seed(database), seed(database), seed(database)])
    expect(results.toSorted()).toEqual([false, false, true])
    expect(await countRows(database)).toMatchObject({ users: 1, programs: 1 })
  })

  test('that dies half-way leaves nothing, and the next start does all of it with the same password', async () => {
    const database = await givenDatabase()
    const folder = givenFolder()
    await database.transaction().execute(async (tx) => {
      await sql`LOCK TABLE leads IN ACCESS EXCLUSIVE MODE`.execute(tx)
      const dying = seed(database, { dataDir: folder }).then(
        () => 'seeded',
        () => 'died',
      )
      const blocked = sql<{ ended: boolean }>`SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO leads%'`
      while ((await blocked.execute(database)).rows.length === 0) await Bun.sleep(20)
      expect(await dying).toBe('died')
    })
    expect(await countRows(database)).toEqual({ users: 0, programs: 0, customers: 0, clicks: 0, leads: 0, sales: 0 })
    const password = readDemoSignIn(folder)?.password
    expect(await seed(database, { dataDir: folder })).toBe(true)
    expect(readDemoSignIn(folder)?.password).toBe(password ?? '')
  })
})

test('without the demo, the announcement shows how the first account is made', async () => {
  const database = await givenDatabase()
  const text = await announcement({
    db: database,
    baseUrl: 'http://localhost:3000',
    dataDir: givenFolder(),
    setupToken: 'token',
  })
  expect(text).toContain('curl -s -c cookies.txt http://localhost:3000/api/auth/sign-up/email')
  expect(text).not.toContain('Demo')
  expect(text).not.toContain('/track/click')
})
