import { afterEach, describe, expect, test } from 'bun:test'
import pg from 'pg'
import { findRunningUrls } from '../../src/database/embedded/running.ts'
import { migrateTo } from '../../src/database/schema/migrate.ts'
import { OWN_MIGRATIONS } from '../../src/database/schema/own-migrations.ts'
import { asOwner } from '../../src/database/start/as-owner.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { cleanUp, givenDataDir, givenService } from '../lifecycle/given-service.ts'
import { givenOwnerOfPostgres } from '../lifecycle/given-start.ts'
import { givenPreparedDataDir } from '../lifecycle/prepared-data.ts'
import { runCommand, runProcess } from '../lifecycle/run-command.ts'
import { createTestDatabase } from '../support/postgres.ts'

afterEach(cleanUp)

const verify = (env: Record<string, string>, ...words: string[]) => runCommand('verify', env, ...words)

describe('tributary verify', () => {
  test('works alongside the running service and without it, and leaves it startable; the demo has no differences', async () => {
    const DATA_DIR = await givenPreparedDataDir('demo')
    const service = await givenService({ env: { DATA_DIR } })
    const whileRunning = await runProcess('verify', { DATA_DIR })
    expect(whileRunning.stdout).toMatch(/^1 program, [\d,]+ ledger lines in [\d,]+ blocks?, 0 differences$/m)
    expect(whileRunning.code).toBe(0)
    expect((await service.get('/readyz')).status).toBe(200)

    const url = findRunningUrls({ dataDir: DATA_DIR, password: loadSecrets(DATA_DIR).databasePassword })?.url ?? null
    const client = new pg.Client({ connectionString: url ?? '' })
    await client.connect()
    await client.query(
      'UPDATE daily_counts SET clicks = clicks + 1 WHERE ctid = (SELECT min(ctid) FROM daily_counts WHERE clicks > 0)',
    )
    await client.query(
      "UPDATE daily_breakdowns SET sales = sales + 1 WHERE ctid = (SELECT min(ctid) FROM daily_breakdowns WHERE dimension = 'device')",
    )
    await client.end()
    service.kill('SIGTERM')
    await service.ended()

    const alone = await verify({ DATA_DIR })
    expect(alone.stdout).toMatch(
      /^program 1: DIFFERENCE: clicks of link \d+, partner \d+ on .*: counted \d+, expected \d+$/m,
    )
    expect(alone.stdout).toMatch(/^program 1: DIFFERENCE: leads\/sales by device on .*: rolled up as/m)
    expect(alone.stdout).toMatch(/, \d+ differences$/m)
    expect(alone.code).toBe(1)
    await givenOwnerOfPostgres(DATA_DIR)
  })

  test('works on DATABASE_URL', async () => {
    const { code, stdout } = await verify({ DATA_DIR: givenDataDir(), DATABASE_URL: await createTestDatabase() })
    expect(stdout).toBe('0 programs, 0 ledger lines in 0 blocks, 0 differences\n')
    expect(code).toBe(0)
  })

  test('rejects other options instead of ignoring them', async () => {
    const mistyped = await verify({ DATA_DIR: givenDataDir() }, '--json')
    expect(mistyped).toMatchObject({ code: 1, stdout: '' })
    expect(mistyped.stderr).toMatch(/'--json'.*npm run tributary -- verify \[--expect program:number:hash …\]\n$/)
  })

  test('says in one sentence if there is nothing to verify', async () => {
    const nowhere = await verify({ DATA_DIR: givenDataDir() })
    expect(nowhere).toMatchObject({ code: 1, stdout: '' })
    expect(nowhere.stderr).toMatch(/has no Tributary instance.*\n$/)
    const empty = await verify({ DATA_DIR: givenDataDir(), DATABASE_URL: await createTestDatabase('template0') })
    expect(empty).toMatchObject({ code: 1, stdout: '' })
    expect(empty.stderr).toMatch(/^The database has an older schema .*\. Start this version .*\n$/)
  })

  test('says in one sentence if the database is of an earlier version', async () => {
    const DATABASE_URL = await createTestDatabase('template1')
    await asOwner(DATABASE_URL, (db) => migrateTo(db, OWN_MIGRATIONS.slice(0, -1)))
    expect(await verify({ DATA_DIR: givenDataDir(), DATABASE_URL })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`The database has an older schema (${OWN_MIGRATIONS.at(-1)} is missing). `),
    })
  })
})
