import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { openPool } from '../../apps/server/src/database/connect.ts'
import { findRunningUrls } from '../../apps/server/src/database/embedded/running.ts'
import { loadSecrets } from '../../apps/server/src/secrets.ts'
import { familyOf, isAlive, processesWith } from '../../apps/server/test/lifecycle/processes.ts'
import { check } from '../check.ts'
import type { Ledger } from '../ledger.ts'
import { openCaller } from '../traffic/caller.ts'
import type { Shop } from './shop.ts'
import { until } from './until.ts'

export const ROOT = join(import.meta.dir, '../..')
export const PRODUCT = join(ROOT, 'apps/server/src/main.ts')

/** The last output of every start, for the product and the controls. */
export const STARTED = 'is running at'

export type Instance = ReturnType<typeof describeInstance>

export type Given = {
  dataDir: string
  /** The program to run: the product or a control. */
  entry: string
  env?: Record<string, string>
  /** Loaded before it. */
  preload?: string
}

/** A port that was free a moment ago. */
export const freePort = () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return Number(port)
}

/** The service as a real process that can be killed, restarted on the same port and data, and inspected. */
export const describeInstance = (given: Given, shop: Shop) => {
  const port = freePort()
  let child: ChildProcess | null = null
  let output = ''

  const launch = () => {
    const preload = given.preload ? ['--preload', given.preload] : []
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DEMO: 'false',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    }
    const started = spawn(process.execPath, [...preload, given.entry], {
      cwd: ROOT,
      env: { ...env, DATA_DIR: given.dataDir, PORT: String(port), ...given.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk) => {
        output = (output + chunk).slice(-4_000)
      })
    child = started
  }
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const ended = () => until('the service ends', () => !isRunning())

  /** The service's own readiness; a click lost in the last seconds counts too. */
  const isReady = async () => {
    const caller = openCaller({ port, isKept: false, timeoutMs: 5_000 })
    const answer = await caller.ask({ method: 'GET', path: '/readyz' })
    return answer?.status === 200
  }
  const start = async () => {
    output = ''
    launch()
    await until('the service is ready', async () => {
      if (!isRunning()) throw new Error(`the service ended: ${output}`)
      // With several workers the first is ready before the last has started.
      return output.includes(STARTED) && (await isReady())
    })
  }
  const databaseUrl = () =>
    findRunningUrls({ dataDir: given.dataDir, password: loadSecrets(given.dataDir).databasePassword })?.url ?? ''

  return {
    port,
    shop,
    start,
    ended,
    isReady,
    databaseUrl,
    pid: () => Number(child?.pid),
    output: () => output,
    untilReady: () => until('the service is ready again', isReady, 90_000),
    signal: (name: NodeJS.Signals) => child?.kill(name),
    killOutright: async () => {
      child?.kill('SIGKILL')
      await ended()
    },
    /** The current server and its backends. */
    postgres: () => familyOf(Number(child?.pid)),
    /** Ends this server with a signal and waits until the service works on another one. */
    losePostgres: async (signal: 'SIGKILL' | 'SIGINT') => {
      const { server } = familyOf(Number(child?.pid))
      process.kill(server, signal)
      await until('the server has exited', () => !isAlive(server))
      await until('the service is ready again', isReady, 90_000)
    },
    check: async (ledger: Ledger) => {
      const pool = openPool(databaseUrl(), { max: 2, name: 'chaos', noTimeouts: true })
      try {
        return await check(pool, ledger, shop.programId)
      } finally {
        await pool.end()
      }
    },
    query: async (sql: string) => {
      const pool = openPool(databaseUrl(), { max: 1, name: 'chaos', noTimeouts: true })
      try {
        return (await pool.query(sql)).rows
      } finally {
        await pool.end()
      }
    },
    stop: async () => {
      if (isRunning()) {
        child?.kill('SIGTERM')
        await until('the service stops', () => !isRunning(), 20_000).catch(() => child?.kill('SIGKILL'))
      }
      if (given.env?.DATABASE_URL) return // that Postgres is external
      for (const { pid } of processesWith(given.dataDir)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
      await until('its processes have exited', () => processesWith(given.dataDir).length === 0)
    },
  }
}
