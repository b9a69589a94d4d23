import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findAccount, isRoot } from '../../src/database/embedded/account.ts'
import { queryOn } from './given-postgres.ts'
import { BINARIES, type Failure, signalAll } from './given-replicas.ts'
import { afterwards, freePort, givenDataDir, until } from './given-service.ts'

const PROGRAMS = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd' }

/** Debian's packages patroni, etcd-server and postgresql. */
export const hasPatroni = BINARIES !== null && Object.values(PROGRAMS).every((path) => existsSync(path))

type Place = { name: string; port: number; api: number; data: string }

const settingsOf = ({ name, port, api, data }: Place, { folder, etcd }: { folder: string; etcd: number }) => ({
  scope: 'tributary',
  name,
  restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
  etcd3: { host: `127.0.0.1:${etcd}` },
  bootstrap: {
    // The shortest lease that Patroni accepts.
    dcs: { ttl: 20, loop_wait: 2, retry_timeout: 5, synchronous_mode: true, postgresql: { use_pg_rewind: true } },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    pg_hba: ['all', 'replication'].map((what) => `host ${what} all 127.0.0.1/32 trust`),
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: data,
    bin_dir: BINARIES,
    authentication: {
      superuser: { username: 'admin', password: 'unused' },
      replication: { username: 'replica', password: 'unused' },
    },
    parameters: { unix_socket_directories: folder, max_connections: 200 },
  },
})

/** Starts programs in a folder, as the user who may run Postgres. */
const launcherIn = (folder: string) => {
  const account = isRoot() ? findAccount() : null
  if (account) chownSync(folder, account.uid, account.gid)
  const env = { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', ETCD_UNSUPPORTED_ARCH: process.arch }
  return (program: string, ...args: string[]) => {
    const child = spawn(program, args, { cwd: folder, ...account, env, stdio: 'ignore' })
    afterwards(() => void child.kill('SIGKILL'))
    return child
  }
}
type Launch = ReturnType<typeof launcherIn>

const startEtcd = async (launch: Launch, folder: string) => {
  const [port, peerPort] = [freePort(), freePort()]
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  launch(
    PROGRAMS.etcd,
    ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
  )
  await until(() => isOk(`${clients}/health`))
  return port
}

const isOk = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Two servers that Patroni keeps in step: a primary and a synchronous standby. */
export const givenPatroni = async () => {
  const folder = givenDataDir()
  const launch = launcherIn(folder)
  const etcd = await startEtcd(launch, folder)
  const agents = new Map<string, ChildProcess>()
  const nodes = ['one', 'two'].map(
    (name): Place => ({ name, port: freePort(), api: freePort(), data: join(folder, name) }),
  )
  const startAgent = (node: Place) => {
    const file = join(folder, `${node.name}.json`)
    writeFileSync(file, JSON.stringify(settingsOf(node, { folder, etcd })))
    agents.set(node.name, launch(PROGRAMS.patroni, file))
  }
  const api = ({ api: port }: Place, path: string) => `http://127.0.0.1:${port}${path}`
  /** The agent's health checks: 200 if the server is that. */
  const find = async (path: '/primary' | '/sync') => {
    const found = await Promise.all(nodes.map((node) => isOk(api(node, path))))
    return nodes[found.indexOf(true)]
  }
  const whole = () => until(async () => (await find('/primary')) !== undefined && (await find('/sync')) !== undefined)

  for (const node of nodes) startAgent(node)
  await whole()
  let primary = (await find('/primary')) as Place
  await queryOn(`postgres://admin@127.0.0.1:${primary.port}/postgres`, 'CREATE DATABASE tributary')
  const pidsOf = ({ name, data }: Place) => [
    Number(agents.get(name)?.pid),
    Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
  ]
  afterwards(() => {
    for (const node of nodes) if (existsSync(join(node.data, 'postmaster.pid'))) signalAll(pidsOf(node), 'SIGKILL')
  })
  let lost: { node: Place; pids: number[] } | null = null
  return {
    url: `postgres://admin@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/tributary?target_session_attrs=read-write`,
    /** Resolves when the other server is the primary. */
    failOver: async (failure: Failure) => {
      const [old, next] = [primary, nodes.find((node) => node !== primary) as Place]
      if (failure === 'switched over') {
        const body = JSON.stringify({ leader: old.name, candidate: next.name })
        await fetch(api(next, '/switchover'), { method: 'POST', body })
      } else {
        lost = { node: old, pids: pidsOf(old) }
        signalAll(lost.pids, failure === 'killed' ? 'SIGKILL' : 'SIGSTOP')
      }
      await until(() => isOk(api(next, '/primary')))
      primary = next
      return performance.now()
    },
    /** Brings the lost server back as the standby. */
    rebuild: async () => {
      if (lost) {
        signalAll(lost.pids, 'SIGKILL')
        startAgent(lost.node)
      }
      lost = null
      await whole()
    },
  }
}
