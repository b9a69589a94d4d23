import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/**
 * After a `kill -9` of the service and its watchdog, Postgres processes may still run in our directory. We hold the instance
 * lock, so they are orphans.
 */
export const stopOrphans = async (cluster: string) => {
  const directory = realpathSync(cluster)
  const server = readPid(directory)
  const orphans = findOrphans(directory)
  // SIGINT makes the server end all sessions, checkpoint and stop. Backends without a server need SIGTERM.
  if (server && orphans.includes(server)) signal(server, 'SIGINT')
  else for (const pid of orphans) signal(pid, 'SIGTERM')
  for (let waited = 0; waited < 10_000; waited += 50) {
    if (findOrphans(directory).length === 0) return
    await Bun.sleep(50)
  }
  // Safe because all of them are killed: the next start recovers from the WAL as after a power cut.
  for (const pid of findOrphans(directory)) signal(pid, 'SIGKILL')
  await Bun.sleep(200)
}

/** The PID that the last server left behind, which may belong to another process by now. */
export const readPid = (cluster: string) => {
  const file = join(cluster, 'postmaster.pid')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) || null : null
}

/** Every Postgres process runs in its data directory. Without /proc we can identify only the server itself. */
const findOrphans = (directory: string) => {
  if (existsSync('/proc/self/cwd')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && readProc(name, 'comm') === 'postgres' && readCwd(name) === directory)
      .map(Number)
  }
  const server = readPid(directory)
  const command = server ? spawnSync('ps', ['-p', String(server), '-o', 'command='], { encoding: 'utf8' }).stdout : ''
  return server && command.includes(directory) ? [server] : []
}

const readProc = (pid: string, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').trim()
  } catch {
    return null // it has just exited
  }
}

const readCwd = (pid: string) => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch {
    // it has just exited
  }
}
