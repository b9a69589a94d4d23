import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toFile } from '../../src/database/backup/destination.ts'
import { writeBackup } from '../../src/database/backup/write-backup.ts'
import { findRunningUrls } from '../../src/database/embedded/running.ts'
import { migrateTo } from '../../src/database/schema/migrate.ts'
import { OWN_MIGRATIONS } from '../../src/database/schema/own-migrations.ts'
import { asOwner } from '../../src/database/start/as-owner.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { isLongRun, sized } from '../support/size.ts'
import { givenDatabase, queryOn } from './given-postgres.ts'
import { cleanUp, givenDataDir, givenService, type Service, until } from './given-service.ts'
import { givenLoad, REFUSED } from './given-workers.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { runCommand, runProcess } from './run-command.ts'

afterEach(cleanUp)

const stop = async (service: Service) => {
  service.kill('SIGTERM')
  await service.ended()
}

const query = (dataDir: string, text: string) =>
  queryOn(findRunningUrls({ dataDir, password: loadSecrets(dataDir).databasePassword })?.url ?? '', text)
const countClicks = async (dataDir: string) =>
  Number((await query(dataDir, 'SELECT count(*) FROM click_events'))[0]?.count)

/** The demo, with a link whose aff is `aff`. */
const givenDemo = async () => {
  const dataDir = await givenPreparedDataDir('demo')
  const service = await givenService({
    env: { DATA_DIR: dataDir, DEMO: 'true', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
  })
  await query(
    dataDir,
    `UPDATE referral_links SET aff = 'aff' WHERE id = (SELECT min(id) FROM referral_links WHERE active)`,
  )
  return { dataDir, service, file: join(givenDataDir(), 'backup.gz') }
}

const PROGRAM = [
  `INSERT INTO workspaces (id, name, slug) VALUES ('w', 'W', 'w')`,
  `INSERT INTO programs (workspace_id, name, created_at) VALUES ('w', 'Kept', now())`,
]

/** An instance with one program, on an external server. */
const givenSmallInstance = async () => {
  const dataDir = givenDataDir()
  loadSecrets(dataDir)
  const DATABASE_URL = await givenDatabase()
  await queryOn(DATABASE_URL, ...PROGRAM)
  return { env: { DATA_DIR: dataDir, DATABASE_URL }, file: join(dataDir, 'backup.gz') }
}

const givenEmptyDatabase = async () => ({ DATA_DIR: givenDataDir(), DATABASE_URL: await givenDatabase('template1') })

/** A backup of an instance with one program, from a version without the newest migration. */
const givenOldBackup = async () => {
  const url = await givenDatabase('template1')
  const dataDir = givenDataDir()
  const file = join(dataDir, 'old.gz')
  await asOwner(url, (db) => migrateTo(db, OWN_MIGRATIONS.slice(0, -1)))
  await queryOn(url, ...PROGRAM)
  const destination = toFile(file)
  const secrets = loadSecrets(dataDir)
  await writeBackup({ databaseUrl: url, destination, key: null, secrets, at: new Date(), progress: () => {} })
  return file
}

describe('backup and restore', () => {
  test('a backup of an earlier version is migrated to this one and verified', async () => {
    const file = await givenOldBackup()
    const restored = await runCommand('restore', await givenEmptyDatabase(), file)
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(restored.stdout).toContain('1 program, 0 ledger lines and every counter: 0 differences.')
  })

  test.skipIf(!isLongRun)(
    'a backup made under load is one moment of the instance, and a service that starts on it continues from there',
    async () => {
      const { dataDir, service, file } = await givenDemo()
      const load = givenLoad(service, { callers: sized({ short: 3, long: 8 }) })
      await until(() => load.answered('200') > 20)
      const before = await countClicks(dataDir)
      const backup = await runProcess('backup', { DATA_DIR: dataDir }, file)
      const after = await countClicks(dataDir)
      const { '200': _, [REFUSED]: __, ...others } = await load.stop()
      expect(others).toEqual({})
      expect(backup.stderr).toBe('')
      expect(backup.stdout).toMatch(/^click_events: [\d,]+ rows$/m)
      expect(backup.code).toBe(0)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const overRunning = await runCommand('restore', { DATA_DIR: dataDir }, file, '--force')
      expect([overRunning.code, overRunning.stderr]).toEqual([
        1,
        expect.stringMatching(/^Another Tributary is already running/),
      ])
      await stop(service)

      const elsewhere = givenDataDir()
      const restored = await runProcess('restore', { DATA_DIR: elsewhere }, file)
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
      // New rows get new IDs, and the service can write but not change the ledger.
      const more = givenLoad(again, { callers: 1 })
      await until(() => more.answered('200') > 0)
      await more.stop()
      expect(await countClicks(elsewhere)).toBeGreaterThan(clicks)
      if (isLongRun) expect((await runCommand('verify', { DATA_DIR: elsewhere })).stdout).toMatch(/, 0 differences$/m)
      const [rights] = await query(
        elsewhere,
        `SELECT has_table_privilege('tributary_app', 'ledger_lines', 'UPDATE') AS may`,
      )
      expect(rights).toEqual({ may: false })
    },
  )

  test.skipIf(!isLongRun)(
    'an instance in DATA_DIR is not overwritten without --force, and never while it runs',
    async () => {
      const dataDir = await givenPreparedDataDir()
      const file = join(givenDataDir(), 'backup.gz')
      const service = await givenService({ env: { DATA_DIR: dataDir } })
      for (const statement of PROGRAM) await query(dataDir, statement)
      expect((await runCommand('backup', { DATA_DIR: dataDir }, file)).code).toBe(0)
      expect((await runCommand('backup', { DATA_DIR: dataDir }, file)).stderr).toMatch(/already exists/)
      const running = await runCommand('restore', { DATA_DIR: dataDir }, file, '--force')
      expect([running.code, running.stderr]).toEqual([
        1,
        expect.stringMatching(/^Another Tributary is already running/),
      ])
      await query(dataDir, `UPDATE programs SET name = 'changed since'`)
      await stop(service)

      const refused = await runCommand('restore', { DATA_DIR: dataDir }, file)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^This instance already has data/)])
      const forced = await runCommand('restore', { DATA_DIR: dataDir }, file, '--force')
      expect([forced.code, forced.stderr]).toEqual([0, ''])
      await givenService({ env: { DATA_DIR: dataDir } })
      expect(await query(dataDir, 'SELECT name FROM programs')).toEqual([{ name: 'Kept' }])
    },
  )

  test('a truncated or foreign file restores nothing', async () => {
    const { env, file } = await givenSmallInstance()
    await runCommand('backup', env, file)
    const whole = readFileSync(file)
    const broken = `${file}.broken`
    const without = (bytes: number) => whole.subarray(0, whole.length - bytes)
    const damaged = [without(1), Buffer.from('not a backup'), without(1_000), Buffer.alloc(0)]
    const empty = await givenEmptyDatabase()
    for (const content of damaged.slice(0, isLongRun ? 4 : 2)) {
      writeFileSync(broken, content)
      const { code, stderr } = await runCommand('restore', empty, broken)
      const message = `${broken} is not a complete Tributary backup: it is damaged or truncated.\n`
      expect([code, stderr]).toEqual([1, message])
    }
    // Nothing is deleted to make space for it, even if every row is present and only the end of the file is missing.
    for (const bytes of sized({ short: [9], long: [1_000, 9, 1] })) {
      writeFileSync(broken, without(bytes))
      expect((await runCommand('restore', env, broken, '--force')).code).toBe(1)
    }
    expect(await queryOn(env.DATABASE_URL, 'SELECT name FROM programs')).toEqual([{ name: 'Kept' }])
  })

  test('a missing file is reported as missing', async () => {
    const missing = join(givenDataDir(), 'nowhere.gz')
    const { code, stderr } = await runCommand('restore', { DATA_DIR: givenDataDir() }, missing)
    expect([code, stderr]).toEqual([1, `${missing} does not exist.\n`])
    const folder = givenDataDir()
    const answer = await runCommand('restore', { DATA_DIR: givenDataDir() }, folder)
    expect([answer.code, answer.stderr]).toEqual([1, `${folder} contains no backups. Name a backup file.\n`])
  })

  test('an existing draft, readable by others or a symlink, does not make the backup readable', async () => {
    const { env, file } = await givenSmallInstance()
    const elsewhere = join(givenDataDir(), 'elsewhere')
    for (const [name, prepare] of [
      ['readable', (draft: string) => writeFileSync(draft, 'broken off', { mode: 0o644 })],
      ['linked', (draft: string) => symlinkSync(elsewhere, draft)],
    ] as const) {
      const target = `${file}.${name}`
      prepare(`${target}.part`)
      expect((await runCommand('backup', env, target)).code).toBe(0)
      expect(lstatSync(target).isSymbolicLink()).toBe(false)
      expect(statSync(target).mode & 0o777).toBe(0o600)
    }
    expect(existsSync(elsewhere)).toBe(false)
  })

  test('a backup into a missing folder says so', async () => {
    const { env } = await givenSmallInstance()
    const file = join(givenDataDir(), 'nowhere', 'backup.gz')
    const { code, stderr } = await runCommand('backup', env, file)
    expect([code, stderr]).toEqual([
      1,
      `Cannot write to ${file} (ENOENT). Choose an existing, writable folder with free space.\n`,
    ])
  })

  test('works from and to DATABASE_URL, and overwrites nothing without --force', async () => {
    const { env, file } = await givenSmallInstance()
    const first = await runCommand('backup', env, file)
    const elsewhere = await givenEmptyDatabase()
    const restored = await runCommand('restore', elsewhere, file)
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    const second = await runCommand('backup', elsewhere, `${file}.second`)
    expect([second.code, second.stderr]).toEqual([0, ''])
    const rows = (text: string) => text.split('\n').filter((line) => / rows$/.test(line))
    expect(rows(first.stdout)).toContain('programs: 1 rows')
    // A restore begins an epoch of events.
    expect(rows(second.stdout)).toEqual([...rows(first.stdout), 'outbox_epochs: 1 rows'])

    // Existing data stays: the file always, and the instance until --force.
    expect((await runCommand('backup', elsewhere, file)).stderr).toMatch(/already exists/)
    const names = () => queryOn(elsewhere.DATABASE_URL, 'SELECT name FROM programs')
    await queryOn(elsewhere.DATABASE_URL, `UPDATE programs SET name = 'changed since'`)
    const refused = await runCommand('restore', elsewhere, file)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^This instance already has data/)])
    expect(await names()).toEqual([{ name: 'changed since' }])
    expect(await runCommand('restore', elsewhere, file, '--force')).toMatchObject({ code: 0, stderr: '' })
    expect(await names()).toEqual([{ name: 'Kept' }])
  })
})
