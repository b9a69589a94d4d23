import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'
import type { Account } from './account.ts'
import { pageCacheMb } from './page-cache.ts'
import { openServerLog, reasonIn } from './server-log.ts'
import { pidInFile, stopStrays } from './strays.ts'
import { startWatched, type WatchedProcess } from './watched-process.ts'

type Postmaster = {
  postgres: string
  account: Account | null
  cluster: string
  socketFolder: string
  logFile: string
  /** What it keeps of its pages, in megabytes; as much as suits the machine unless told. */
  cacheMb?: number | undefined
}

const SETTINGS = {
  // The service promises that what it acknowledged is on disk; no edited postgresql.conf may take that back.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // No TCP at all: a Unix socket costs a fifth less processor time a query, and nobody else can knock.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // Sixteen workers with all of their pools, and whoever looks after them.
  max_connections: '250',
  max_wal_size: '2GB',
  checkpoint_timeout: '10min',
  random_page_cost: '1.1',
  // Short queries on few cores gain nothing from either, and containers give parallel workers too little /dev/shm.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements are the service's to log; their details would put visitors' data into a file.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** Starts the server and answers when it accepts connections; throws a sentence when it does not come up. */
export const startPostmaster = async (options: Postmaster): Promise<WatchedProcess> => {
  await stopStrays(options.cluster)
  const giveUpAt = Date.now() + 20_000
  for (;;) {
    const log = openServerLog(options.logFile)
    const server = await startWatched(commandLine(options), {
      account: options.account,
      errors: log.handle,
      env: overlookStalePid(options.cluster),
    })
    const failed = await Promise.race([server.ended.then(() => true), untilReady(server, options.cluster)])
    const reason = failed ? reasonIn(log.read()) : null
    log.close()
    if (!failed) return server
    // The memory of a killed server is freed when the last of its backends has noticed; that can take a moment.
    if (!reason?.includes('shared memory block') || Date.now() > giveUpAt) {
      throw new StartupError(`The embedded Postgres did not start: ${reason} (see ${options.logFile}).`)
    }
    await Bun.sleep(300)
  }
}

const commandLine = ({ postgres, cluster, socketFolder, cacheMb = pageCacheMb() }: Postmaster) => {
  // A list in Postgres' eyes: without quotes a comma in the path would begin a second folder.
  const folder = `"${socketFolder.replaceAll('"', '""')}"`
  const settings = { ...SETTINGS, shared_buffers: `${cacheMb}MB`, unix_socket_directories: folder }
  return [postgres, '-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/**
 * The number in a killed server's file may be another process by now (containers count from 1 each time), and Postgres
 * would not start. This is how pg_ctl has it overlook one process; the check for living backends stays on.
 */
const overlookStalePid = (cluster: string) => {
  const pid = pidInFile(cluster)
  return pid ? { PG_GRANDPARENT_PID: String(pid) } : undefined
}

/** The server writes its state into the eighth line of its file. Recovery after a crash may take long, and is let be. */
const untilReady = async (server: WatchedProcess, cluster: string) => {
  const file = join(cluster, 'postmaster.pid')
  let over = false
  server.ended.then(() => {
    over = true
  })
  while (!over) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready') return false
    await Bun.sleep(10)
  }
  return true
}
