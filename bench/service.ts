import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPool } from '../apps/server/src/database/connect.ts'
import { findPlace } from '../apps/server/src/database/embedded/place.ts'
import { loadSecrets } from '../apps/server/src/secrets.ts'
import { startProcess } from './processes.ts'

const LINKS = 40

/** The whole service as `npm start` runs it, in a data directory of its own, with a program whose links can be followed. */
export const startBenchedService = async (dataDir: string) => {
  const port = freePort()
  const process = startProcess('apps/server/src/main.ts', {
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: '',
    DEMO: 'false',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  })
  await Promise.race([untilReady(port), process.ended])
  const pool = openPool(databaseUrl(dataDir), { max: 1, name: 'bench', unhurried: true })
  const affs = await makeLinks(pool)
  const stop = async () => {
    await pool.end()
    await process.stop()
    // Usually within dataDir, but not where root's Postgres could not come in.
    rmSync(findPlace(dataDir, () => {}).home, { recursive: true, force: true })
  }
  return { ...process, port, pool, affs, stop }
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

/** The embedded server says in its own file where its socket is. */
const databaseUrl = (dataDir: string) => {
  const { home } = findPlace(dataDir, () => {})
  const socketFolder = readFileSync(join(home, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
  const password = encodeURIComponent(loadSecrets(dataDir).databasePassword)
  return `postgres://tributary:${password}@localhost/tributary?host=${encodeURIComponent(socketFolder)}`
}

const makeLinks = async (pool: ReturnType<typeof openPool>) => {
  await pool.query("INSERT INTO workspaces (id, name, slug) VALUES ('bench', 'Bench', 'bench')")
  await pool.query("INSERT INTO programs (workspace_id, name, created_at) VALUES ('bench', 'Bench', now())")
  await pool.query(
    `INSERT INTO partners (program_id, name, code, status, created_at)
     SELECT 1, 'Partner ' || n, 'partner' || n, 'approved', now() FROM generate_series(1, $1) n`,
    [LINKS],
  )
  const { rows } = await pool.query<{ aff: string }>(
    `INSERT INTO referral_links (aff, program_id, partner_id, created_at)
     SELECT code, program_id, id, now() FROM partners RETURNING aff`,
  )
  return rows.map(({ aff }) => aff)
}
