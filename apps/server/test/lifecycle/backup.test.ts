import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { asOwner } from '../../src/database/as-owner.ts'
import { writeBackup } from '../../src/database/backup/write-backup.ts'
import { addressOfRunning } from '../../src/database/embedded/running.ts'
import { migrateTo } from '../../src/database/migrate.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { givenPostgres } from './given-postgres.ts'
import { cleanUp, givenDataDir, givenService, launchService, ROOT, type Service } from './given-service.ts'
import { givenLoad } from './given-workers.ts'

afterEach(cleanUp)

const run = (name: 'backup' | 'restore' | 'verify-ledger', env: Record<string, string>, ...words: string[]) =>
  launchService({
    env,
    command: [process.execPath, join(ROOT, `apps/server/src/commands/${name}.ts`), ...words],
  }).ended()

const stop = async (service: Service) => {
  service.kill('SIGTERM')
  await service.ended()
}

const query = async (dataDir: string, text: string) => {
  const url = addressOfRunning({ dataDir, password: loadSecrets(dataDir).databasePassword }) ?? ''
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
const countClicks = async (dataDir: string) =>
  Number((await query(dataDir, 'SELECT count(*) FROM click_events'))[0].count)

/** The demo, with a link called `aff`. */
const givenDemo = async () => {
  const dataDir = givenDataDir()
  const service = await givenService({
    env: { DATA_DIR: dataDir, DEMO: 'true', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
  })
  await query(
    dataDir,
    `UPDATE referral_links SET aff = 'aff' WHERE id = (SELECT min(id) FROM referral_links WHERE active)`,
  )
  return { dataDir, service, file: join(givenDataDir(), 'backup.gz') }
}

/** A backup that an earlier version made of an instance with one program. */
const givenOldBackup = async (migration: string) => {
  const { url } = await givenPostgres()
  const dataDir = givenDataDir()
  const file = join(dataDir, 'old.gz')
  await asOwner(url, async (db) => {
    await migrateTo(db, [migration])
    await sql`INSERT INTO workspaces (id, name, slug) VALUES ('w', 'W', 'w')`.execute(db)
    await sql`INSERT INTO programs (workspace_id, name, created_at) VALUES ('w', 'Old', now())`.execute(db)
  })
  await writeBackup({ databaseUrl: url, file, secrets: loadSecrets(dataDir), at: new Date(), progress: () => {} })
  return file
}

describe('npm run backup and npm run restore', () => {
  test('a backup of an earlier version is brought up to this one, and verified', async () => {
    const file = await givenOldBackup('0013-adopted-strays')
    const restored = await run('restore', { DATA_DIR: givenDataDir() }, file)
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(restored.stdout).toContain('1 program, 0 ledger lines and every counter: 0 differences.')
  })

  test('a backup made under load is one moment of the instance, and a service that starts on it goes on from there', async () => {
    const { dataDir, service, file } = await givenDemo()
    const load = givenLoad(service, { callers: 8 })
    await Bun.sleep(500)
    const before = await countClicks(dataDir)
    const backup = await run('backup', { DATA_DIR: dataDir }, file)
    const after = await countClicks(dataDir)
    expect(Object.keys(await load.stop())).toEqual(['200'])
    expect(backup.stderr).toBe('')
    expect(backup.stdout).toMatch(/^click_events: [\d,]+ rows$/m)
    expect(backup.code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await stop(service)

    const elsewhere = givenDataDir()
    const restored = await run('restore', { DATA_DIR: elsewhere }, file)
    expect(restored.stderr).toBe('')
    expect(restored.stdout).toMatch(/ledger lines and every counter: 0 differences\.$/m)
    expect(restored.code).toBe(0)

    const again = await givenService({ env: { DATA_DIR: elsewhere, DEMO: 'true' } })
    const clicks = await countClicks(elsewhere)
    expect(clicks).toBeGreaterThanOrEqual(before)
    expect(clicks).toBeLessThanOrEqual(after)
    const { hashKey, sessionSecret } = loadSecrets(elsewhere)
    expect({ hashKey, sessionSecret }).toEqual({
      hashKey: loadSecrets(dataDir).hashKey,
      sessionSecret: loadSecrets(dataDir).sessionSecret,
    })
    // New rows get new numbers, and the service may work on them but not rewrite the ledger.
    await givenLoad(again, { callers: 1 }).stop()
    expect(await countClicks(elsewhere)).toBeGreaterThan(clicks)
    expect((await run('verify-ledger', { DATA_DIR: elsewhere })).stdout).toMatch(/, 0 differences$/m)
    const [rights] = await query(
      elsewhere,
      `SELECT has_table_privilege('tributary_app', 'ledger_lines', 'UPDATE') AS may`,
    )
    expect(rights).toEqual({ may: false })
  })

  test('an instance that has data is not overwritten without --force, and never while it runs', async () => {
    const { dataDir, service, file } = await givenDemo()
    expect((await run('backup', { DATA_DIR: dataDir }, file)).code).toBe(0)
    expect((await run('backup', { DATA_DIR: dataDir }, file)).stderr).toMatch(/exists already/)
    const running = await run('restore', { DATA_DIR: dataDir }, file, '--force')
    expect([running.code, running.stderr]).toEqual([1, expect.stringMatching(/^Another Tributary is already running/)])
    await query(dataDir, `UPDATE programs SET name = 'changed since'`)
    await stop(service)

    const refused = await run('restore', { DATA_DIR: dataDir }, file)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^There is an instance with data already/),
    ])
    const forced = await run('restore', { DATA_DIR: dataDir }, file, '--force')
    expect([forced.code, forced.stderr]).toEqual([0, ''])
    await givenService({ env: { DATA_DIR: dataDir } })
    const [program] = await query(dataDir, 'SELECT name FROM programs')
    expect(program.name).not.toBe('changed since')
  })

  test('a file that broke off, or is something else, restores nothing', async () => {
    const { dataDir, service, file } = await givenDemo()
    await run('backup', { DATA_DIR: dataDir }, file)
    await stop(service)
    const whole = readFileSync(file)
    const broken = `${file}.broken`
    const without = (bytes: number) => whole.subarray(0, whole.length - bytes)
    for (const content of [without(1_000), without(1), Buffer.from('not a backup'), Buffer.alloc(0)]) {
      writeFileSync(broken, content)
      const elsewhere = givenDataDir()
      const { code, stderr } = await run('restore', { DATA_DIR: elsewhere }, broken)
      const said = `${broken} is not a whole backup of Tributary: it is damaged or broke off.\n`
      expect([code, stderr]).toEqual([1, said])
    }
    // Nor is anything removed to make room for it, also where all lines are there and only the end of the file is not.
    for (const bytes of [1_000, 9, 1]) {
      writeFileSync(broken, without(bytes))
      expect((await run('restore', { DATA_DIR: dataDir }, broken, '--force')).code).toBe(1)
    }
    await givenService({ env: { DATA_DIR: dataDir } })
    expect(await countClicks(dataDir)).toBeGreaterThan(0)
  })

  test('a file that is not there is said to be missing', async () => {
    const missing = join(givenDataDir(), 'nowhere.gz')
    const { code, stderr } = await run('restore', { DATA_DIR: givenDataDir() }, missing)
    expect([code, stderr]).toEqual([1, `There is no file ${missing}.\n`])
    const folder = givenDataDir()
    const answer = await run('restore', { DATA_DIR: givenDataDir() }, folder)
    expect([answer.code, answer.stderr]).toEqual([1, `${folder} is a directory. Name the file of the backup.\n`])
  })

  test('a draft that is already there, readable by others or a link to elsewhere, does not make the backup readable', async () => {
    const { dataDir, file } = await givenDemo()
    const elsewhere = join(givenDataDir(), 'elsewhere')
    for (const [name, prepare] of [
      ['readable', (draft: string) => writeFileSync(draft, 'broken off', { mode: 0o644 })],
      ['linked', (draft: string) => symlinkSync(elsewhere, draft)],
    ] as const) {
      const target = `${file}.${name}`
      prepare(`${target}.part`)
      expect((await run('backup', { DATA_DIR: dataDir }, target)).code).toBe(0)
      expect(lstatSync(target).isSymbolicLink()).toBe(false)
      expect(statSync(target).mode & 0o777).toBe(0o600)
    }
    expect(existsSync(elsewhere)).toBe(false)
  })

  test('a backup into a folder that is not there says so', async () => {
    const { dataDir } = await givenDemo()
    const file = join(givenDataDir(), 'nowhere', 'backup.gz')
    const { code, stderr } = await run('backup', { DATA_DIR: dataDir }, file)
    expect([code, stderr]).toEqual([
      1,
      `${file} cannot be written (ENOENT): name a folder that is there, has room and may be written.\n`,
    ])
  })

  test('works from and to DATABASE_URL', async () => {
    const { dataDir, service, file } = await givenDemo()
    await run('backup', { DATA_DIR: dataDir }, file)
    await stop(service)
    const { url } = await givenPostgres()
    const env = { DATA_DIR: givenDataDir(), DATABASE_URL: url }
    const restored = await run('restore', env, file)
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    const second = await run('backup', env, `${file}.second`)
    expect([second.code, second.stderr]).toEqual([0, ''])
    const rows = (text: string) => text.split('\n').filter((line) => / rows$/.test(line))
    expect(rows(second.stdout).length).toBeGreaterThan(10)
  })
})
