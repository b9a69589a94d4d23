import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findAccount, isRoot } from '../../src/database/embedded/account.ts'
import { queryOn } from './given-postgres.ts'
import { afterwards, freePort, givenDataDir, until } from './given-service.ts'

const DEBIAN = '/usr/lib/postgresql'
const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted() : []

/** Where Debian and Ubuntu install Postgres with pg_basebackup, which the embedded one lacks; null if they have not. */
export const BINARIES = versions.length > 0 ? join(DEBIAN, versions.at(-1) ?? '', 'bin') : null

type Server = { port: number; data: string; process: ChildProcess }

/**
 * A primary and a synchronous standby. `failOver` promotes the standby, and `rebuild` gives it a new
 * one: the part of an agent such as Patroni.
 */
export const givenReplicas = async () => {
  const folder = givenDataDir()
  const account = isRoot() ? findAccount() : null
  if (account) chownSync(folder, account.uid, account.gid)
  const run = (program: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(join(BINARIES ?? '', program), args, {
      cwd: folder,
      ...account,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
  }
  const urlOf = ({ port }: Pick<Server, 'port'>, database = 'tributary') =>
    `postgres://admin@127.0.0.1:${port}/${database}`
  const start = async (port: number, data: string): Promise<Server> => {
    const options = [
      '-D',
      data,
      '-c',
      `port=${port}`,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${folder}`,
    ]
    const child = spawn(join(BINARIES ?? '', 'postgres'), options, { cwd: folder, ...account, stdio: 'ignore' })
    afterwards(() => void child.kill('SIGKILL'))
    await until(() => queryOn(urlOf({ port }, 'postgres'), 'SELECT').then(Boolean, () => false))
    return { port, data, process: child }
  }
  const ports = [freePort(), freePort()] as const
  const dataOf = (port: number) => join(folder, String(port))
  const addStandby = async (port: number, primary: Server) => {
    rmSync(dataOf(port), { recursive: true, force: true })
    run('pg_basebackup', '-D', dataOf(port), '-R', '-X', 'stream', '-c', 'fast', '-d', urlOf(primary, 'postgres'))
    appendFileSync(join(dataOf(port), 'postgresql.auto.conf'), "synchronous_standby_names = ''\n")
    const standby = await start(port, dataOf(port))
    await queryOn(
      urlOf(primary, 'postgres'),
      "ALTER SYSTEM SET synchronous_standby_names = '*'",
      'SELECT pg_reload_conf()',
    )
    const isSynchronous = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'"
    await until(async () => (await queryOn(urlOf(primary, 'postgres'), isSynchronous)).length > 0)
    return standby
  }

  run('initdb', '-D', dataOf(ports[0]), '-U', 'admin', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8')
  mkdirSync(join(folder, 'empty'))
  let primary = await start(ports[0], dataOf(ports[0]))
  await queryOn(urlOf(primary, 'postgres'), 'CREATE DATABASE tributary')
  let standby = await addStandby(ports[1], primary)
  return {
    url: `postgres://admin@127.0.0.1:${ports[1]},127.0.0.1:${ports[0]}/tributary?target_session_attrs=read-write`,
    /** The address of the standby, for DATABASE_READ_URL. */
    standbyUrl: () => urlOf(standby),
    endStandby: () => signalAll([Number(standby.process.pid)], 'SIGKILL'),
    /** Ends or freezes the primary and promotes the standby. Resolves when it accepts writes. */
    failOver: async (failure: Failure) => {
      await fail(primary, failure)
      await queryOn(urlOf(standby, 'postgres'), 'SELECT pg_promote()')
      return performance.now()
    },
    /** Replaces the old primary by a new standby. */
    rebuild: async () => {
      const old = primary
      primary = standby
      signalAll([Number(old.process.pid)], 'SIGKILL')
      await until(() => old.process.exitCode !== null || old.process.signalCode !== null)
      standby = await addStandby(old.port, primary)
    },
  }
}

/** Signals processes and their children: for a server, the postmaster first and then its connections. */
export const signalAll = (parents: number[], signal: NodeJS.Signals) => {
  for (const parent of parents) {
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' })
    for (const pid of [parent, ...stdout.trim().split(/\s+/).filter(Boolean).map(Number)])
      try {
        process.kill(pid, signal)
      } catch {
        // It has just ended.
      }
  }
}

/** As when the machine loses power; when an operator moves it; when the network is cut, so that nothing answers. */
export type Failure = 'killed' | 'switched over' | 'cut off'

const fail = async ({ process: server }: Server, failure: Failure) => {
  if (failure !== 'switched over') return signalAll([Number(server.pid)], failure === 'killed' ? 'SIGKILL' : 'SIGSTOP')
  server.kill('SIGINT')
  await until(() => server.exitCode !== null)
}
