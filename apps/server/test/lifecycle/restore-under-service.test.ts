import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { loadSecrets } from '../../src/secrets.ts'
import { givenService } from '../support/shared-service.ts'
import { givenDatabase, queryOn } from './given-postgres.ts'
import { cleanUp, givenDataDir } from './given-service.ts'
import { runCommand } from './run-command.ts'

const service = await givenService()
afterAll(cleanUp)

/** A backup of an instance on an external server. */
const givenBackup = async () => {
  const dataDir = givenDataDir()
  loadSecrets(dataDir)
  const DATABASE_URL = await givenDatabase()
  await queryOn(DATABASE_URL, `INSERT INTO workspaces (id, name, slug) VALUES ('w', 'W', 'w')`)
  const file = join(dataDir, 'backup.gz')
  expect((await runCommand('backup', { DATA_DIR: dataDir, DATABASE_URL }, file)).stderr).toBe('')
  return file
}

test('restore --force never replaces the external database of a running service, idle or not', async () => {
  const file = await givenBackup()
  const restore = () =>
    runCommand('restore', { DATA_DIR: givenDataDir(), DATABASE_URL: service.databaseUrl }, file, '--force')
  const refused = { code: 1, stderr: 'A service is using this database. Stop it first.\n' }
  expect(await restore()).toMatchObject(refused)
  // As after half a minute without requests.
  await service.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'tributary'`)
  expect(await restore()).toMatchObject(refused)
})

test('restore never removes the tables of another application, not even with --force', async () => {
  const file = await givenBackup()
  const DATABASE_URL = await givenDatabase('template1')
  await queryOn(DATABASE_URL, 'CREATE TABLE orders (id int)')
  for (const force of [[], ['--force']]) {
    const restored = await runCommand('restore', { DATA_DIR: givenDataDir(), DATABASE_URL }, file, ...force)
    expect(restored.stderr).toMatch(/tables of another application \(orders\)/)
    expect(await queryOn(DATABASE_URL, 'SELECT * FROM orders')).toEqual([])
  }
})
