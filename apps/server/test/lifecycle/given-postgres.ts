import { join } from 'node:path'
import pg from 'pg'
import { findBinaries } from '../../src/database/embedded/binaries.ts'
import { findDataFolder } from '../../src/database/embedded/data-folder.ts'
import { embeddedUrls } from '../../src/database/embedded/urls.ts'
import { startWatched } from '../../src/database/embedded/watched-process.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { createTestDatabase, dropTestDatabase } from '../support/postgres.ts'
import { afterwards, until } from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'

/** A database for DATABASE_URL, on a server that the service does not own. `template1`: an empty one. */
export const givenDatabase = async (from?: 'template1') => {
  const url = await createTestDatabase(from)
  afterwards(() => dropTestDatabase(url))
  return url
}

/** A separate server, for tests that change its roles. */
export const givenPostgres = async () => {
  const dataDir = await givenPreparedDataDir()
  const server = await startEmbeddedPostgres({ dataDir, password: loadSecrets(dataDir).databasePassword })
  afterwards(server.stop)
  return server
}

/** A server configured only by its own files, which ALTER SYSTEM can change. */
export const givenPlainPostgres = async () => {
  const dataDir = await givenPreparedDataDir()
  const place = findDataFolder(dataDir, () => {})
  const flags = ['-c', `unix_socket_directories=${place.home}`, '-c', 'listen_addresses=']
  const cluster = join(place.home, 'cluster')
  const server = await startWatched([findBinaries(place).postgres, '-D', cluster, ...flags], place)
  afterwards(server.stop)
  const pidFile = Bun.file(join(cluster, 'postmaster.pid'))
  await until(async () => (await pidFile.text().catch(() => '')).includes('ready'))
  return embeddedUrls({ folder: place.home, password: loadSecrets(dataDir).databasePassword }).url
}

export const queryOn = async (url: string, ...statements: string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // One by one: some of them cannot run in a transaction.
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
