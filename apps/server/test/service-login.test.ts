import { afterAll, describe, expect, test } from 'bun:test'
import { createServer, type Socket, connect as toSocket } from 'node:net'
import pg from 'pg'
import { APP_ROLE, openPool } from '../src/database/connect.ts'
import { openPools } from '../src/database/pools.ts'
import { asService, createTestDatabase } from './support/postgres.ts'

const ownerUrl = await createTestDatabase()
const serviceUrl = await asService(ownerUrl)

describe('the login that serves requests', () => {
  const pools = openPools(serviceUrl, { workers: 1, clickWriters: 1 })
  afterAll(() => pools.end())

  test.each([
    'clicks',
    'money',
    'processor',
    'deliveries',
    'dashboard',
  ] as const)('has no rights over the ledger, even after RESET ROLE: %s', async (name) => {
    const client = await pools.all[name].connect()
    for (const undo of ['SELECT', 'RESET ROLE', 'SET ROLE NONE', 'RESET ALL'])
      for (const attempt of [
        'UPDATE ledger_lines SET amount_cents = 1',
        'DELETE FROM ledger_lines',
        'TRUNCATE ledger_lines CASCADE',
        'ALTER TABLE ledger_lines DISABLE TRIGGER ALL',
        'DELETE FROM ledger_blocks',
        'DROP TABLE ledger_block_lines',
      ]) {
        await client.query(undo)
        await expect(client.query(attempt)).rejects.toThrow(/permission denied|must be owner/)
      }
    await expect(client.query('SET ROLE tributary')).rejects.toThrow(/permission denied/)
    client.release(true)
  })

  const READ_ONLY = ['click_retention', 'demo_seed', 'instance_secrets', 'kysely_migration', 'kysely_migration_lock']

  test.each(READ_ONLY)('can read %s and cannot write it', async (table) => {
    const pool = pools.all.money
    await pool.query(`SELECT * FROM ${table}`)
    for (const attempt of [
      `INSERT INTO ${table} SELECT * FROM ${table}`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
      `DROP TABLE ${table}`,
    ])
      await expect(pool.query(attempt)).rejects.toThrow(/permission denied|must be owner/)
    const { rows } = await pool.query(`SELECT has_any_column_privilege($1, 'UPDATE') AS may`, [table])
    expect(rows).toEqual([{ may: false }])
  })

  test('can insert into every other table, or the table would be read-only', async () => {
    const { rows } = await pools.all.money.query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND NOT has_table_privilege(oid, 'INSERT') ORDER BY relname COLLATE "C"`,
    )
    expect(rows.map(({ relname }) => relname)).toEqual(READ_ONLY)
  })
})

/** Like PgBouncer with `ignore_startup_parameters`: drops some startup parameters. */
const givenProxyWithout = async (ignored: string[]) => {
  const url = new URL(serviceUrl)
  const sockets = new Set<Socket>()
  const server = createServer((caller) => {
    const upstream = toSocket(`${url.searchParams.get('host')}/.s.PGSQL.5432`)
    caller.once('data', (start) => {
      upstream.write(startWithout(Buffer.from(start), ignored))
      caller.pipe(upstream)
      upstream.pipe(caller)
    })
    for (const socket of [caller, upstream]) sockets.add(socket.on('error', () => socket.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return `postgres://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`
}

/** Length, protocol version, then names and values, each terminated by a zero byte, and one more zero byte. */
const startWithout = (start: Buffer, ignored: string[]) => {
  const words = start.subarray(8, -1).toString().split('\0').slice(0, -1)
  const kept = words.filter((_, index) => !ignored.includes(words[index - (index % 2)] ?? ''))
  const body = Buffer.concat([start.subarray(4, 8), Buffer.from(`${kept.map((word) => `${word}\0`).join('')}\0`)])
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}

describe('a proxy between the service and its database', () => {
  const connectThrough = async (ignored: string[]) => {
    const pool = openPool(await givenProxyWithout(ignored), { max: 1, role: APP_ROLE })
    afterAll(() => pool.end())
    return pool.query('SELECT current_user')
  }

  test('that passes everything on works', async () => {
    expect((await connectThrough([])).rows).toEqual([{ current_user: APP_ROLE }])
  })

  test.each([
    ['options', /the role is tributary_service, not tributary_app.*PgBouncer/],
    ['statement_timeout', /statement_timeout is 0 ms, not 2500/],
    ['lock_timeout', /lock_timeout is 0 ms, not 2000/],
    ['idle_in_transaction_session_timeout', /idle_in_transaction_session_timeout is 0 ms, not 5000/],
  ])('that drops %s is refused with one sentence', async (ignored, sentence) => {
    await expect(connectThrough([ignored])).rejects.toThrow(sentence)
  })

  test('settings of the login itself need not be passed on', async () => {
    const owner = new pg.Client({ connectionString: ownerUrl })
    await owner.connect()
    const database = new URL(ownerUrl).pathname.slice(1)
    for (const setting of ["statement_timeout = '2500ms'", "lock_timeout = '2s'"])
      await owner.query(`ALTER ROLE tributary_service IN DATABASE ${database} SET ${setting}`)
    expect((await connectThrough(['statement_timeout', 'lock_timeout'])).rows).toHaveLength(1)
    await owner.query(`ALTER ROLE tributary_service IN DATABASE ${database} SET synchronous_commit = off`)
    await expect(connectThrough([])).rejects.toThrow(/synchronous_commit off/)
    await owner.end()
  })
})
