import { setDefaultTimeout } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesWith } from './processes.ts'

/** Generous enough for a busy machine; failures are reported sooner. */
export const PATIENCE_MS = 90_000
setDefaultTimeout(2 * PATIENCE_MS)

export const ROOT = join(import.meta.dir, '../../../..')
export const MAIN = join(ROOT, 'apps/server/src/main.ts')

const endings: (() => void | Promise<void>)[] = []

/** Stops and removes everything that a test started, even if it failed. */
export const cleanUp = async () => {
  for (const end of endings.splice(0).reverse()) await end()
}

export const afterwards = (end: () => void | Promise<void>) => endings.push(end)

export const givenDataDir = (parent = tmpdir()) => {
  const dataDir = realpathSync(mkdtempSync(join(parent, 'tributary-lifecycle-')))
  afterwards(async () => {
    for (const { pid } of processesWith(dataDir)) killIfAlive(pid)
    await until(() => processesWith(dataDir).length === 0)
    rmSync(dataDir, { recursive: true, force: true })
  })
  return dataDir
}

export const killIfAlive = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

/** A port that was free a moment ago. */
export const freePort = () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return Number(port)
}

type Given = { env?: Record<string, string>; command?: string[]; cwd?: string; user?: { uid: number; gid: number } }

/** Starts the service, or another command, as a real process; it is not ready yet. */
export const launchService = ({ env = {}, command = [process.execPath, MAIN], cwd = ROOT, user }: Given) => {
  const port = freePort()
  const [program = '', ...args] = command
  const service = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DEMO: 'false', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a separate process group, as a terminal creates
    ...user,
  })
  afterwards(() => killIfAlive(-Number(service.pid))) // the whole group: a launcher's service as well
  const output = { stdout: '', stderr: '' }
  /** What an operator has to read: the warnings in the log, and anything that is not in the log. */
  const complaints = () => warningsIn(output.stdout) + output.stderr
  service.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  service.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  // 'close' fires once no process holds its output: a surviving child would keep it open.
  const closed = new Promise<number | null>((resolve) => service.once('close', (code) => resolve(code)))
  return {
    pid: Number(service.pid),
    port,
    get: (path: string) => fetch(`http://localhost:${port}${path}`, { signal: AbortSignal.timeout(30_000) }),
    kill: (signal: NodeJS.Signals) => service.kill(signal),
    /** Sends the signal to the whole process group, like a terminal. */
    pressCtrlC: () => process.kill(-Number(service.pid), 'SIGINT'),
    isRunning: () => service.exitCode === null && service.signalCode === null,
    stdout: () => output.stdout,
    complaints,
    ended: async () => ({ code: await closed, ...output, complaints: complaints() }),
  }
}

/** The sentences of level warn and above, one per line. */
const warningsIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => /^\{"level":"(warn|error|fatal)"/.test(line))
    .map((line) => `${JSON.parse(line).msg}\n`)
    .join('')

export type Service = ReturnType<typeof launchService>

export const givenService = async (given: Given) => {
  const service = launchService(given)
  await until(async () => {
    if (!service.isRunning()) throw new Error(`the service ended: ${JSON.stringify(await service.ended())}`)
    return isReady(service)
  })
  return service
}

export const isReady = (service: Service) =>
  service.get('/readyz').then(
    (response) => response.ok,
    () => false,
  )

/** Waits for a condition, and throws on timeout. */
export const until = async (isTrue: () => boolean | Promise<boolean>, withinMs = PATIENCE_MS) => {
  const giveUpAt = Date.now() + withinMs
  while (!(await isTrue())) {
    if (Date.now() > giveUpAt) throw new Error(`not true within ${withinMs} ms: ${isTrue}`)
    await Bun.sleep(50)
  }
}
