import { afterEach, expect, test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { findArchivedUntil, listBases } from '../../src/database/archive/archive-folder.ts'
import { findHome } from '../../src/database/embedded/data-folder.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { startArchived } from './given-archive.ts'
import { queryOn } from './given-postgres.ts'
import { afterwards, cleanUp, givenDataDir, until } from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { runCommand } from './run-command.ts'

afterEach(cleanUp)

test('a restore to a millisecond has everything that was committed in it, and nothing later', async () => {
  const [dataDir, archiveDir] = [await givenPreparedDataDir(), givenDataDir()]
  appendFileSync(join(findHome(dataDir), 'cluster/postgresql.auto.conf'), 'track_commit_timestamp = on\n')
  const { archive, query, stop } = await startArchived(dataDir, archiveDir)
  await until(() => listBases(archive).length === 1)
  await query('CREATE TABLE steps (number integer)')
  /** In microseconds. */
  const commit = async (number: number) => {
    await query(`INSERT INTO steps VALUES (${number})`)
    const [row] = await query(`
      SELECT (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1e6)::bigint AS at FROM steps WHERE number = ${number}`)
    return Number(row?.at)
  }
  // Postgres counts microseconds, clients milliseconds.
  let number = 1
  let at = await commit(number)
  while (at % 1_000 === 0) at = await commit(++number)
  const chosen = new Date(Math.floor(at / 1_000))
  await until(() => Date.now() > chosen.getTime() + 1)
  await commit(number + 1)
  await until(() => (findArchivedUntil(archive) ?? 0) > chosen)
  await stop()

  const DATA_DIR = givenDataDir()
  const restored = await runCommand('restore', { DATA_DIR }, archiveDir, '--to', chosen.toISOString())
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  const { url, stop: stopRestored } = await startEmbeddedPostgres({
    dataDir: DATA_DIR,
    password: loadSecrets(DATA_DIR).databasePassword,
  })
  afterwards(stopRestored)
  expect(await queryOn(url, 'SELECT max(number) AS last FROM steps')).toEqual([{ last: number }])
})

test('after a gap in the log the database is copied again, even if Postgres has already archived what follows the gap', async () => {
  const [dataDir, archiveDir] = [await givenPreparedDataDir(), givenDataDir()]
  const first = await startArchived(dataDir, archiveDir)
  await until(() => listBases(first.archive).length === 1)
  await first.stop()
  const password = loadSecrets(dataDir).databasePassword
  /** Fills segments without the process that follows the log, as a command does. */
  const writeLog = async (archive: string | null) => {
    const postgres = await startEmbeddedPostgres({ dataDir, password, archiveDir: archive })
    const next = [`SELECT pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()`, 'CHECKPOINT']
    await queryOn(postgres.url, ...next, ...next).finally(postgres.stop)
  }
  await writeLog(null)
  await writeLog(archiveDir)
  await startArchived(dataDir, archiveDir)
  await until(() => listBases(first.archive).length === 2)
})
