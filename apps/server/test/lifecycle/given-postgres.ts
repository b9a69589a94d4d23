import { join } from 'node:path'
import { findBinaries } from '../../src/database/embedded/binaries.ts'
import { findPlace } from '../../src/database/embedded/place.ts'
import { startWatched } from '../../src/database/embedded/watched-process.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { afterwards, givenDataDir, until } from './given-service.ts'

const PASSWORD = 'known-to-this-test-alone'

/** A Postgres that the service does not own, to point DATABASE_URL at. */
export const givenPostgres = async () => {
  const server = await startEmbeddedPostgres({ dataDir: givenDataDir(), password: PASSWORD })
  afterwards(server.stop)
  return server
}

/** One that its owner made fast and forgetful. */
export const givenPostgresWith = async (setting: string) => {
  const dataDir = givenDataDir()
  const made = await startEmbeddedPostgres({ dataDir, password: PASSWORD })
  await made.stop()
  const place = findPlace(dataDir, () => {})
  const flags = ['-c', `unix_socket_directories=${place.home}`, '-c', 'listen_addresses=', '-c', setting]
  const command = [findBinaries(place).postgres, '-D', made.directory, ...flags]
  const server = await startWatched(command, place)
  afterwards(server.stop)
  await until(async () =>
    (
      await Bun.file(join(made.directory, 'postmaster.pid'))
        .text()
        .catch(() => '')
    ).includes('ready'),
  )
  return made.url
}
