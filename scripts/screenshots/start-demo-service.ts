import { spawn } from 'node:child_process'
import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../apps/server/src/main.ts')
const LOOK_AGAIN_MS = 100

/** The address that the pages show, whichever port was free. */
const SHOWN_ADDRESS = 'http://localhost:3000'

const freePort = async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port
}

/** The service as `npm start` runs it, with the demo, in a temporary folder. */
export const startDemoService = async (dataDir: string) => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const { DATABASE_URL: _database, HOST: _host, ...rest } = process.env
  const own = { PORT: String(port), BASE_URL: SHOWN_ADDRESS, DATA_DIR: dataDir, DEMO: 'true', LOG_LEVEL: 'warn' }
  // The channel carries nothing: it closes when this process is killed, which tells the service to stop.
  const stdio: ['ignore', 'inherit', 'inherit', 'ipc'] = ['ignore', 'inherit', 'inherit', 'ipc']
  const child = spawn(process.execPath, [MAIN], { env: { ...rest, ...own }, stdio })
  const ended = new Promise((resolve) => child.once('close', resolve))
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error('The service ended before it was ready.')
    await Bun.sleep(LOOK_AGAIN_MS)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, stop }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
