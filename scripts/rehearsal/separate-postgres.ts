import { spawn } from 'node:child_process'
import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findAccount, isRoot } from '../../apps/server/src/database/embedded/account.ts'
import { findBinaries } from '../../apps/server/src/database/embedded/binaries.ts'
import { freePort, killIfAlive, ROOT, type Stage, until, workersOf } from './stage.ts'

const PASSWORD = 'password of the rehearsal'

/** Two nodes and ten, as the guide counts, and more than that. */
const mostConnections = (workers: number) => {
  const guide = readFileSync(join(ROOT, 'docs/guides/production.md'), 'utf8')
  const cellsOf = (row: string) =>
    new RegExp(`^\\| ${row} \\|(.*)\\|$`, 'm').exec(guide)?.[1]?.split('|').map(Number) ?? []
  const perNode = cellsOf('Connections')[cellsOf('`WORKERS`').indexOf(workers)]
  if (!perNode) throw new Error(`The guide does not say how many connections WORKERS=${workers} needs.`)
  return 2 * perNode + 10 + 20
}

/** The statements of “An external database” in SECURITY.md. */
const roleStatements = () => {
  const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  const block = /## An external database\n.*?```sql\n(.*?)```/s.exec(text)?.[1]
  if (!block) throw new Error('SECURITY.md has no statements for an external database.')
  return block.replaceAll('…', PASSWORD).split('\n').filter(Boolean)
}

const queryOn = async (url: string, statements: string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A Postgres that is not the service's, on its own port, with the logins that SECURITY.md creates. */
export const startSeparatePostgres = async (stage: Stage) => {
  const home = stage.makeFolder('separate-postgres')
  const account = isRoot() ? findAccount() : null
  const { initdb, postgres } = findBinaries({ home, account })
  const [cluster, passwordFile, port] = [join(home, 'cluster'), join(home, 'password'), freePort()]
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 })
  if (account) for (const path of [home, passwordFile]) chownSync(path, account.uid, account.gid)
  const launch = (program: string, ...args: string[]) =>
    spawn(program, args, { cwd: home, stdio: 'ignore', ...account })
  const initialized = launch(initdb, '-D', cluster, '-U', 'postgres', '--pwfile', passwordFile, '-A', 'scram-sha-256')
  const code = await new Promise((resolve) => initialized.once('close', resolve))
  if (code !== 0) throw new Error(`initdb ended with ${code}.`)
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    max_connections: mostConnections(workersOf(process.env)),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = launch(postgres, '-D', cluster, ...flags)
  stage.afterwards(() => {
    killIfAlive(Number(server.pid), 'SIGQUIT')
    return until('the separate Postgres ends', () => server.exitCode !== null || server.signalCode !== null)
  })
  const pidFile = Bun.file(join(cluster, 'postmaster.pid'))
  await until('the separate Postgres is ready', async () => (await pidFile.text().catch(() => '')).includes('ready'))
  const url = (user: string, database: string) =>
    `postgres://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`
  await queryOn(url('postgres', 'postgres'), roleStatements())
  return { DATABASE_URL: url('app_service', 'tributary'), DATABASE_OWNER_URL: url('app_owner', 'tributary') }
}
