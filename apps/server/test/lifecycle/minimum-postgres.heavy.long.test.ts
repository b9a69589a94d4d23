import { afterEach, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findAccount, isRoot } from '../../src/database/embedded/account.ts'
import { MIN_POSTGRES } from '../../src/database/start/refuse-unsafe.ts'
import { queryOn } from './given-postgres.ts'
import { afterwards, cleanUp, givenDataDir, givenService, until } from './given-service.ts'
import { runProcess } from './run-command.ts'

afterEach(cleanUp)

/** Where Debian and Ubuntu install it. */
const BINARIES = `/usr/lib/postgresql/${MIN_POSTGRES}/bin`

/** A new server of that release, as an operator installs it. */
const givenOldestPostgres = async () => {
  const folder = givenDataDir()
  const account = isRoot() ? findAccount() : null
  if (account) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const initialize = ['-D', data, '-U', 'admin', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8']
  const created = spawnSync(join(BINARIES, 'initdb'), initialize, { cwd: folder, ...account, encoding: 'utf8' })
  if (created.status !== 0) throw new Error(created.stderr)
  const options = ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`]
  const server = spawn(join(BINARIES, 'postgres'), options, { cwd: folder, ...account, stdio: 'ignore' })
  afterwards(() => void server.kill('SIGQUIT'))
  const url = (database: string) => `postgres://admin@localhost/${database}?host=${folder}`
  await until(() => queryOn(url('postgres'), 'SELECT').then(Boolean, () => false))
  await queryOn(url('postgres'), 'CREATE DATABASE tributary')
  return url('tributary')
}

test.skipIf(!existsSync(BINARIES))(
  'the oldest Postgres works: demo, traffic, verification, and a backup that moves to the embedded one',
  async () => {
    const env = { DATA_DIR: givenDataDir(), DATABASE_URL: await givenOldestPostgres() }
    expect(await queryOn(env.DATABASE_URL, 'SHOW server_version')).toMatchObject([
      { server_version: expect.stringMatching(new RegExp(`^${MIN_POSTGRES}\\.`)) },
    ])
    const service = await givenService({ env: { ...env, DEMO: 'true' } })
    const [link] = await queryOn(env.DATABASE_URL, 'SELECT aff FROM referral_links WHERE active ORDER BY id LIMIT 1')
    const click = await fetch(`http://localhost:${service.port}/api/v1/track/click`, {
      method: 'POST',
      body: JSON.stringify({ affiliate_url: `https://acme-analytics.example/?aff=${link?.aff}` }),
    })
    expect(click.status).toBe(200)
    expect(await runProcess('verify', env)).toMatchObject({ code: 0, stderr: '' })
    mkdirSync(join(env.DATA_DIR, 'backups'))
    const file = join(env.DATA_DIR, 'backups', 'backup')
    expect(await runProcess('backup', env, file)).toMatchObject({ code: 0, stderr: '' })
    const embedded = { DATA_DIR: givenDataDir() }
    expect(await runProcess('restore', embedded, file)).toMatchObject({ code: 0, stderr: '' })
    expect(await runProcess('verify', embedded)).toMatchObject({ code: 0, stderr: '' })
  },
)
