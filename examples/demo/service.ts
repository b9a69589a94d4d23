import { spawn } from 'node:child_process'
import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../apps/server/src/main.ts')
const LOOK_AGAIN_MS = 100

type Options = { port: number; dataDir: string }

/** The service in a process of its own, exactly as `npm start` runs it, on a data folder of the demo's own. */
export const startService = ({ port, dataDir }: Options) => {
  const url = `http://localhost:${port}`
  // A database or an address that this terminal has for the real service is not for the demo.
  const { DATABASE_URL: _database, HOST: _host, ...rest } = process.env
  const env = {
    ...rest,
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: dataDir,
    DEMO: 'true',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  }
  // What it announces is left out, for the demo says its own; what it complains about is shown. The channel carries
  // nothing: it closes when this process is killed outright, which tells the service to stop.
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  let exitCode: number | null = null
  const ended = new Promise<number>((resolve) =>
    child.once('close', (code) => {
      exitCode = code ?? 1
      resolve(exitCode)
    }),
  )
  /** False when it has ended instead; it has said why. */
  const ready = async () => {
    while (!(await isReady(url))) {
      if (exitCode !== null) return false
      await Bun.sleep(LOOK_AGAIN_MS)
    }
    return true
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, ended, ready, stop }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
