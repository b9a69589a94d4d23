import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { migrateTo, missingMigrations } from '../../src/database/schema/migrate.ts'
import { OWN_MIGRATIONS } from '../../src/database/schema/own-migrations.ts'
import { asOwner } from '../../src/database/start/as-owner.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { startService } from '../../src/service.ts'
import { upgradeDatabase } from '../../src/startup/upgrade-database.ts'
import { asService, createTestDatabase, dropTestDatabase } from '../support/postgres.ts'
import { isLongRun } from '../support/size.ts'
import { queryOn } from './given-postgres.ts'
import { cleanUp, givenDataDir, givenService, MAIN } from './given-service.ts'
import { runCommand } from './run-command.ts'

afterAll(cleanUp)

/** Before the tables of names. A view in place of the last of them fails the migration after it has created the others. */
const OLDER = OWN_MIGRATIONS.filter((name) => name < '0022')
const OBSTACLE = 'CREATE VIEW partner_sign_ins AS SELECT 1'
const USER = `INSERT INTO users (id, name, email, "email_verified", created_at, updated_at)
  VALUES ('u1', 'Ada', 'ada@example.com', true, now(), now())`

/** An instance of an older version with one user, which this version takes for its embedded database. */
const givenOlderInstance = async (...statements: string[]) => {
  const ownerUrl = await createTestDatabase('template1')
  afterAll(() => dropTestDatabase(ownerUrl))
  await asOwner(ownerUrl, (db) => migrateTo(db, OLDER))
  await queryOn(ownerUrl, USER, ...statements)
  const dataDir = givenDataDir()
  const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, DEMO: 'false', LOG_LEVEL: 'silent' }
  const options = { config: readConfig(env), secrets: loadSecrets(dataDir), ownerUrl }
  const start = async () => startService({ ...options, databaseUrl: await asService(ownerUrl) })
  return { ...options, start, folder: join(dataDir, 'upgrade-backups') }
}

const usersIn = async (url: string) => (await queryOn(url, 'SELECT name FROM users')).map(({ name }) => name)

const restoreInto = async (database: string, file: string) => {
  const restored = await runCommand('restore', { DATA_DIR: givenDataDir(), DATABASE_URL: database }, file, '--force')
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  return usersIn(database)
}

test('a start that upgrades the embedded database backs it up first and keeps the last three; the next start does not', async () => {
  const { start, folder } = await givenOlderInstance()
  mkdirSync(folder)
  const former = ['01', '02', '03'].map((day) => `tributary-202601${day}T000000Z.backup`)
  for (const name of former) writeFileSync(join(folder, name), '')
  for (const _ of ['upgrade', 'restart']) await (await start()).stop()
  const backups = readdirSync(folder).toSorted()
  expect(backups).toEqual([...former.slice(1), expect.stringMatching(/^tributary-.*\.backup$/)])
  const file = join(folder, backups.at(-1) ?? '')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const elsewhere = await createTestDatabase('template1')
  afterAll(() => dropTestDatabase(elsewhere))
  expect(await restoreInto(elsewhere, file)).toEqual(['Ada'])
})

test('an upgrade that fails halfway changes nothing and names the command that goes back, which restores everything', async () => {
  const { start, ownerUrl } = await givenOlderInstance(OBSTACLE)
  const failure = await start().then(
    () => null,
    (error) => error,
  )
  expect(failure?.name).toBe('StartupError')
  expect(failure?.message).toMatch(
    /^The upgrade to \S+ failed and changed nothing: relation "partner_sign_ins" already exists\./,
  )
  const [, file = ''] = /: npm run tributary -- restore '(\S+)' --force$/.exec(failure.message) ?? []
  await asOwner(ownerUrl, async (db) => {
    expect(await missingMigrations(db)).toEqual(OWN_MIGRATIONS.filter((name) => !OLDER.includes(name)))
  })
  expect(await queryOn(ownerUrl, `SELECT to_regclass('link_names') AS "table"`)).toEqual([{ table: null }])
  // Of the version that fails too, the command says what to do.
  const again = await runCommand('restore', { DATA_DIR: givenDataDir(), DATABASE_URL: ownerUrl }, file, '--force')
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^The data is restored, but its upgrade to \S+ failed: relation "partner_sign_ins" already exists\. Install the previous version and run the same command with --force\.\n$/,
    ),
  ])
  // Without the obstacle, this version restores it as the previous one would.
  await queryOn(ownerUrl, 'DROP VIEW partner_sign_ins', 'DELETE FROM users')
  expect(await restoreInto(ownerUrl, file)).toEqual(['Ada'])
})

test.skipIf(!isLongRun)(
  'an upgrade that fails at every restart keeps one backup, beside those of earlier upgrades',
  async () => {
    const { start, ownerUrl, folder } = await givenOlderInstance(OBSTACLE)
    mkdirSync(folder)
    const former = ['01', '02', '03'].map((day) => `tributary-202601${day}T000000Z.backup`)
    for (const name of former) writeFileSync(join(folder, name), '')
    const backups = () => readdirSync(folder).filter((name) => name.endsWith('.backup'))
    for (const attempt of [1, 2]) {
      await expect(start()).rejects.toThrow('failed and changed nothing')
      expect({ attempt, backups: backups().toSorted() }).toEqual({
        attempt,
        backups: [...former, expect.stringMatching(/^tributary-.*\.backup$/)],
      })
    }
    await queryOn(ownerUrl, 'DROP VIEW partner_sign_ins')
    await (await start()).stop()
    expect(backups()).toHaveLength(3)
  },
)

test('a disk without space for the backup stops the start before anything changes', async () => {
  const { folder, ...options } = await givenOlderInstance()
  const log = { info: () => {} }
  const upgrade = (freeBytes: number) =>
    asOwner(options.ownerUrl, (db) =>
      upgradeDatabase(db, { ...options, at: new Date(), log, freeBytes: () => freeBytes }),
    )
  await expect(upgrade(1_000)).rejects.toThrow(
    /backs it up to .*upgrade-backups first, but that can take \d+ MB and the disk has 1 MB free\..* start with: npm run tributary -- start --without-backup$/,
  )
  expect(existsSync(folder)).toBe(false)
  expect(await asOwner(options.ownerUrl, missingMigrations)).not.toEqual([])
  await upgrade(2 ** 40)
  expect(await asOwner(options.ownerUrl, missingMigrations)).toEqual([])
})

test.skipIf(!isLongRun)('--without-backup upgrades the embedded database without one', async () => {
  const DATA_DIR = givenDataDir()
  const older = await startEmbeddedPostgres({ dataDir: DATA_DIR, password: loadSecrets(DATA_DIR).databasePassword })
  await asOwner(older.url, (db) => migrateTo(db, OLDER)).finally(older.stop)
  await givenService({ env: { DATA_DIR }, command: [process.execPath, MAIN, '--without-backup'] })
  expect(existsSync(join(DATA_DIR, 'upgrade-backups'))).toBe(false)
})
