import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { StartupError } from '../config/startup-error.ts'
import { archiveSettings } from './archive/archive-folder.ts'
import { claimArchive } from './archive/own-archive.ts'
import { APP_ROLE } from './connect.ts'
import { findBinaries } from './embedded/binaries.ts'
import { ensureCluster, OWNER } from './embedded/cluster.ts'
import { type DataFolder, findDataFolder } from './embedded/data-folder.ts'
import { startPostmaster } from './embedded/postmaster.ts'
import { supervise } from './embedded/supervisor.ts'
import { embeddedUrls, SERVICE, servicePassword } from './embedded/urls.ts'

type Options = {
  dataDir: string
  password: string
  cacheMb?: number
  log?: (line: string) => void
  /** Postgres archives its log there. */
  archiveDir?: string | null
  /** Further Postgres settings, for a restore. */
  settings?: Record<string, string>
}

/**
 * A real Postgres in DATA_DIR, on a Unix socket. It never outlives this process and is restarted at the same address if it
 * crashes. One caller per DATA_DIR: see instance-lock.ts.
 */
export const startEmbeddedPostgres = async (given: Options) => {
  const { dataDir, password, cacheMb, log = () => {}, archiveDir = null } = given
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const folder = findDataFolder(dataDir, log)
  const binaries = findBinaries(folder)
  const cluster = await ensureCluster(folder, binaries, password)
  const claim = archiveDir ? claimArchive(archiveDir, { cluster, account: folder.account }) : null
  const socket = createSocketFolder(folder)
  const options = {
    ...binaries,
    account: folder.account,
    cluster,
    socketFolder: socket.folder,
    logFile: join(dataDir, 'postgres.log'),
    cacheMb,
    settings: { ...(claim && archiveSettings(claim.archive)), ...given.settings },
  }
  const server = await supervise({ start: () => startPostmaster(options), log }).catch((error) => {
    claim?.release()
    throw error
  })

  const stop = async () => {
    await server.stop()
    socket.remove()
    claim?.release()
  }
  try {
    await ensureDatabase(embeddedUrls({ folder: socket.folder, password, database: 'postgres' }).url, password)
  } catch (error) {
    await stop()
    throw error
  }
  const urls = embeddedUrls({ folder: socket.folder, password })
  return { ...urls, directory: cluster, account: folder.account, archive: claim?.archive ?? null, stop }
}

/** Separate from creating the cluster, so that a start killed between the two recovers. */
const ensureDatabase = async (url: string, password: string) => {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [OWNER])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${OWNER}`)
    await ensureLogin(client, servicePassword(password))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(`The embedded Postgres started but does not accept our connection: ${reason}.`)
  } finally {
    await client.end()
  }
}

/** Runs on every start, because older clusters lack this login. */
const ensureLogin = async (client: pg.Client, password: string) => {
  for (const role of [APP_ROLE, SERVICE]) {
    const found = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
    if (found.rowCount === 0) await client.query(`CREATE ROLE ${role}`)
  }
  await client.query(
    `ALTER ROLE ${SERVICE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${pg.escapeLiteral(password)}`,
  )
  await client.query(`GRANT ${APP_ROLE} TO ${SERVICE}`)
}

/** Socket paths are limited to 104 bytes on macOS and 108 on Linux, so a deep DATA_DIR needs a shorter path. */
const createSocketFolder = ({ home, account }: DataFolder) => {
  if (Buffer.byteLength(join(home, '.s.PGSQL.5432')) < 104) return { folder: home, remove: () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'tributary-'))
  if (account) chownSync(folder, account.uid, account.gid)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
