import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, openPool } from '../apps/server/src/database/connect.ts'
import { findDataFolder } from '../apps/server/src/database/embedded/data-folder.ts'
import { loadSecrets } from '../apps/server/src/secrets.ts'
import { ROOT, startProcess } from './processes.ts'
import { findProgramSetUp, setUpProgram } from './set-up.ts'

type Options = { dataDir: string; workers?: number; keep?: boolean }

/** The whole service as `npm start` runs it, in a separate data directory, with a program and active links. */
export const startBenchedService = async ({ dataDir, workers = 1, keep = false }: Options) => {
  const port = freePort()
  const isNew = !existsSync(dataDir)
  const { MEMORY_SETTINGS } = await import(join(ROOT, 'scripts/launch.mjs'))
  const process = startProcess('apps/server/src/main.ts', {
    ...MEMORY_SETTINGS,
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: '',
    DEMO: 'false',
    RATE_LIMITS: 'off',
    WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
    LOG_LEVEL: 'warn',
    WORKERS: String(workers),
  })
  await Promise.race([untilReady(port), process.ended])
  const { home } = findDataFolder(dataDir, () => {})
  const url = databaseUrl(dataDir, home)
  const pool = openPool(url, { max: 2, name: 'bench', noTimeouts: true })
  const db = openDatabase(pool)
  const end = async () => {
    await pool.end()
    await process.stop()
  }
  const program = await (isNew ? setUpProgram : findProgramSetUp)({ db, pool, port }).catch(async (error) => {
    await end()
    throw error
  })
  const stop = async () => {
    await end()
    // Usually within dataDir, unless root's Postgres could not enter it.
    if (!keep) rmSync(home, { recursive: true, force: true })
  }
  return {
    ...process,
    home,
    port,
    pool,
    db,
    databaseUrl: url,
    hashKey: loadSecrets(dataDir).hashKey,
    isNew,
    program,
    stop,
  }
}
export type BenchedService = Awaited<ReturnType<typeof startBenchedService>>

const freePort = () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port ?? 0
}

const untilReady = async (port: number) => {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (answer?.ok) return
    await Bun.sleep(50)
  }
}

/** The embedded server records the location of its socket in a file. */
const databaseUrl = (dataDir: string, home: string) => {
  const socketFolder = readFileSync(join(home, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
  const password = encodeURIComponent(loadSecrets(dataDir).databasePassword)
  return `postgres://tributary:${password}@localhost/tributary?host=${encodeURIComponent(socketFolder)}`
}
