import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { readDemoSignIn } from '../../src/demo/demo-sign-in.ts'
import { seedDemo } from '../../src/demo/seed-demo.ts'
import { formatAnnouncement } from '../../src/startup/announcement.ts'
import { SECRETS } from '../support/service.ts'
import { isLongRun } from '../support/size.ts'
import { countRows, givenDatabase, givenFolder, rowsOf } from './given.ts'

const TODAY = new Date('2026-05-13T07:30:00Z')
const seed = (db: Database, { at = TODAY, dataDir = givenFolder() } = {}) =>
  seedDemo(db, { clock: () => at, dataDir, hashKey: SECRETS.hashKey })

/** Seeding takes seconds, so the tests share one database. */
const resumed = { db: await givenDatabase(), dataDir: givenFolder() }

describe('seeding', () => {
  /** Everything except the random identifiers of clicks and events; links are numbered from the first. */
  const traffic = (of: Database) =>
    rowsOf(
      of,
      sql`SELECT clicked_at AS at, link_id - (SELECT min(id) FROM referral_links) AS link, country, device, browser, referrer_url AS text, 0 AS amount FROM click_events
        UNION ALL SELECT created_at, link_id - (SELECT min(id) FROM referral_links), state, settled_by, NULL, settled_at::text, 0 FROM leads
        UNION ALL SELECT sold_at, link_id - (SELECT min(id) FROM referral_links), customer_key, event_name, subscription_id, reason, amount_cents FROM sales
        ORDER BY 1, 2, 3`,
    )

  test.skipIf(!isLongRun)(
    'that dies halfway leaves nothing; of several processes that start next, one seeds everything with the same password',
    async () => {
      const { db, dataDir } = resumed
      await db.transaction().execute(async (tx) => {
        await sql`LOCK TABLE leads IN ACCESS EXCLUSIVE MODE`.execute(tx)
        const dying = seed(db, { dataDir }).then(
          () => 'seeded',
          () => 'died',
        )
        const blocked = sql<{ ended: boolean }>`SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO leads%'`
        while ((await blocked.execute(db)).rows.length === 0) await Bun.sleep(20)
        expect(await dying).toBe('died')
      })
      expect(await countRows(db)).toEqual({ users: 0, programs: 0, customers: 0, clicks: 0, leads: 0, sales: 0 })
      const password = readDemoSignIn(dataDir)?.password
      const begin = () => seed(db, { dataDir })
      const results = await Promise.all([begin(), begin(), begin()])
      expect(results.toSorted()).toEqual([false, false, true])
      expect(await countRows(db)).toMatchObject({ users: 3, programs: 1 })
      expect(readDemoSignIn(dataDir)?.password).toBe(password ?? '')
    },
  )

  test.skipIf(!isLongRun)('creates the same data at the same moment', async () => {
    const later = await givenDatabase()
    expect(await seed(later)).toBe(true)
    const first = await traffic(resumed.db)
    expect(first.length).toBeGreaterThan(5_000)
    expect(Bun.deepEquals(await traffic(later), first)).toBe(true) // a diff would be thousands of lines
  })

  test.skipIf(!isLongRun)('creates other dates on another day', async () => {
    const later = await givenDatabase()
    expect(await seed(later, { at: new Date('2026-05-14T00:00:00Z') })).toBe(true)
    expect(await traffic(later)).not.toEqual(await traffic(resumed.db))
  })

  test('runs once, even after everything was deleted', async () => {
    const { db, dataDir } = resumed
    // The long run has seeded it above.
    if (!isLongRun) expect(await seed(db, { dataDir })).toBe(true)
    const password = readDemoSignIn(dataDir)?.password
    expect(await seed(db, { dataDir })).toBe(false)
    expect(readDemoSignIn(dataDir)?.password).toBe(password ?? '')
    await sql`TRUNCATE users, workspaces, customers, click_events, daily_counts, leads, sales RESTART IDENTITY CASCADE`.execute(
      db,
    )
    await sql`INSERT INTO demo_seed (id, decided_at) VALUES (true, now()) ON CONFLICT DO NOTHING`.execute(db)
    expect(await seed(db, { dataDir })).toBe(false)
    expect(await countRows(db)).toMatchObject({ users: 0, clicks: 0 })
  })

  test('never touches an instance that is already in use', async () => {
    const database = await givenDatabase()
    await database.insertInto('users').values({ id: 'ada', name: 'Ada', email: 'ada@example.com' }).execute()
    const folder = givenFolder()
    expect(await seed(database, { dataDir: folder })).toBe(false)
    await database.deleteFrom('users').execute()
    expect(await seed(database, { dataDir: folder })).toBe(false)
    expect(await countRows(database)).toMatchObject({ users: 0, programs: 0, clicks: 0 })
    expect(readDemoSignIn(folder)).toBeNull()
  })
})

test('without the demo, the announcement shows how to create the first account', async () => {
  const database = await givenDatabase()
  const text = await formatAnnouncement({
    db: database,
    baseUrl: 'http://localhost:3000',
    dataDir: givenFolder(),
    setupToken: 'token',
  })
  const [first] = text.trim().split('\n')
  expect(first).toBe('Open http://localhost:3000/sign-up?setup=token in your browser to create the first account.')
  expect(text).toContain('curl -s -c cookies.txt http://localhost:3000/api/auth/sign-up/email')
  expect(text).not.toContain('Demo')
  expect(text).not.toContain('/track/click')
})
