import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const MAIN = join(import.meta.dir, '../../apps/server/src/main.ts')
const POLL_INTERVAL_MS = 100

type Options = { port: number; dataDir: string }

/** Runs the service in a separate process, as `npm start` does, with the demo's data folder. */
export const startService = ({ port, dataDir }: Options) => {
  const url = `http://localhost:${port}`
  // Ignore a database or host configured for the real service.
  const { DATABASE_URL: _database, HOST: _host, ...rest } = process.env
  const env = {
    ...rest,
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: dataDir,
    DEMO: 'true',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  }
  // The IPC channel carries nothing; the service stops when it closes.
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  if (child.stdout) createInterface(child.stdout).on('line', showProblem)
  let exitCode: number | null = null
  const ended = new Promise<number>((resolve) =>
    child.once('close', (code) => {
      exitCode = code ?? 1
      resolve(exitCode)
    }),
  )
  /** False if the service exited; it has printed why. */
  const ready = async () => {
    while (!(await isReady(url))) {
      if (exitCode !== null) return false
      await Bun.sleep(POLL_INTERVAL_MS)
    }
    return true
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, ended, ready, stop }
}

/** The service logs JSON. Its startup message is hidden; the demo has its own. */
const showProblem = (line: string) => {
  const { level, msg, ...fields } = JSON.parse(line)
  if (['warn', 'error', 'fatal'].includes(level)) console.error(msg, fields.err ?? fields.error ?? '')
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
