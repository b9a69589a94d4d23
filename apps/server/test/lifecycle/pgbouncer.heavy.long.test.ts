import { afterEach, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findAccount, isRoot } from '../../src/database/embedded/account.ts'
import { givenDatabase } from './given-postgres.ts'
import { afterwards, cleanUp, freePort, givenDataDir, killIfAlive, until } from './given-service.ts'
import { refusedStart } from './given-start.ts'

afterEach(cleanUp)

const pgbouncer = Bun.which(process.env.PGBOUNCER ?? 'pgbouncer') ?? Bun.which('/usr/sbin/pgbouncer')

/** A PgBouncer in front of an empty database; returns its DATABASE_URL. */
const givenPgBouncer = async (settings: Record<string, string>) => {
  const { username, password, pathname, searchParams } = new URL(await givenDatabase())
  const server = `host=${searchParams.get('host')} port=${searchParams.get('port') ?? 5432}`
  const login = `user=${decodeURIComponent(username)} password='${decodeURIComponent(password)}'`
  const port = freePort()
  const pooling = { auth_type: 'any', max_client_conn: '200', default_pool_size: '100', ...settings }
  const address = { listen_addr: '127.0.0.1', listen_port: String(port), unix_socket_dir: '' }
  const file = join(givenDataDir(), 'pgbouncer.ini')
  chmodSync(join(file, '..'), 0o755)
  const lines = Object.entries({ ...pooling, ...address }).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(
    file,
    `[databases]\nit = ${server} dbname=${pathname.slice(1)} ${login}\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  // PgBouncer does not run as root.
  const child = spawn(pgbouncer ?? '', [file], { stdio: 'ignore', ...(isRoot() && findAccount()) })
  afterwards(() => killIfAlive(Number(child.pid)))
  const url = `postgres://${username}@127.0.0.1:${port}/it`
  await until(async () => {
    const client = new pg.Client({ connectionString: url })
    const isUp = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    return isUp
  })
  return url
}

test.skipIf(!pgbouncer)(
  'PgBouncer is refused with one sentence in both modes, whether or not it drops our settings (skipped without it)',
  async () => {
    for (const pool_mode of ['transaction', 'session'])
      for (const ignore_startup_parameters of ['', 'options']) {
        const DATABASE_URL = await givenPgBouncer({ pool_mode, ignore_startup_parameters })
        const { code, complaints } = await refusedStart({ DATA_DIR: givenDataDir(), DATABASE_URL })
        expect([code, complaints]).toEqual([
          1,
          expect.stringMatching(/^[^\n]*PgBouncer[^\n]*Connect to Postgres directly[^\n]*\n$/),
        ])
      }
  },
)
