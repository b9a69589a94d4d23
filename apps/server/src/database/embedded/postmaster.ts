import { existsSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'
import type { Account } from './account.ts'
import { readPid, stopOrphans } from './orphans.ts'
import { lastErrorIn, openServerLog } from './server-log.ts'
import { startWatched, type WatchedProcess } from './watched-process.ts'

type Postmaster = {
  postgres: string
  account: Account | null
  cluster: string
  socketFolder: string
  logFile: string
  /** shared_buffers in megabytes; sized to the machine by default. */
  cacheMb?: number | undefined
  /** For archiving or a restore. */
  settings?: Record<string, string>
}

const SETTINGS = {
  // Acknowledged data must be on disk, so an edited postgresql.conf cannot turn these off.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // No TCP: a Unix socket costs a fifth less CPU per query and is not reachable from the network.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // Sixteen workers with all their pools, plus maintenance.
  max_connections: '250',
  max_wal_size: '2GB',
  checkpoint_timeout: '10min',
  random_page_cost: '1.1',
  // Neither helps short queries on few cores, and containers give parallel workers too little /dev/shm.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The service logs rejected statements itself; their details would put visitors' data into a file.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** Resolves when the server accepts connections; throws a StartupError if it does not come up. */
export const startPostmaster = async (options: Postmaster): Promise<WatchedProcess> => {
  await stopOrphans(options.cluster)
  const giveUpAt = Date.now() + 20_000
  for (;;) {
    const log = openServerLog(options.logFile)
    const server = await startWatched(commandLine(options), {
      account: options.account,
      errors: log.handle,
      env: ignoreStalePid(options.cluster),
    })
    const hasFailed = await Promise.race([server.ended.then(() => true), waitUntilReady(server, options.cluster)])
    const reason = hasFailed ? lastErrorIn(log.read()) : null
    log.close()
    if (!hasFailed) return server
    // A killed server's shared memory is freed once its last backend has exited, which can take a moment.
    if (!reason?.includes('shared memory block') || Date.now() > giveUpAt) {
      throw new StartupError(`The embedded Postgres did not start: ${reason} (see ${options.logFile}).`)
    }
    await Bun.sleep(300)
  }
}

const commandLine = ({ postgres, cluster, socketFolder, cacheMb = pageCacheMb(), settings: more }: Postmaster) => {
  // Postgres reads this setting as a list, so a comma in the path must be quoted.
  const folder = `"${socketFolder.replaceAll('"', '""')}"`
  const settings = { ...SETTINGS, shared_buffers: `${cacheMb}MB`, unix_socket_directories: folder, ...more }
  return [postgres, '-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/**
 * The PID in a killed server's file may belong to another process by now (containers restart at 1), and Postgres would refuse
 * to start. pg_ctl ignores one PID in the same way; the check for live backends stays on.
 */
const ignoreStalePid = (cluster: string) => {
  const pid = readPid(cluster)
  return pid ? { PG_GRANDPARENT_PID: String(pid) } : undefined
}

/** The server writes its state into line eight of its PID file. Crash recovery can take long, so there is no timeout. */
const waitUntilReady = async (server: WatchedProcess, cluster: string) => {
  const file = join(cluster, 'postmaster.pid')
  let hasEnded = false
  server.ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready') return false
    await Bun.sleep(10)
  }
  return true
}

const MB = 2 ** 20
const [MIN_MB, MAX_MB] = [128, 1_024]
const SHARE = 16

/**
 * Postgres shared_buffers in megabytes: a sixteenth of the machine's or container's memory. Leads in a large database read
 * scattered rows, and each page that is not cached costs as much as a row (docs/decisions/0016).
 */
export const pageCacheMb = (memoryBytes = process.constrainedMemory() || totalmem()) =>
  Math.min(MAX_MB, Math.max(MIN_MB, Math.floor(memoryBytes / SHARE / MB)))
