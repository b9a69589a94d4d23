import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { findRunningUrls } from '../../src/database/embedded/running.ts'
import { sized } from '../support/size.ts'
import { afterwards, givenService, type Service } from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { childrenOf } from './processes.ts'

/** The service as several processes, with one active link. */
export const givenWorkers = async (count: number, code: { command?: string[]; cwd?: string } = {}) => {
  const dataDir = await givenPreparedDataDir()
  const service = await givenService({
    ...code,
    env: { DATA_DIR: dataDir, WORKERS: String(count), RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
  })
  // The first worker answers before the others have started.
  const statusesWhileStarting = new Set<number>()
  do statusesWhileStarting.add((await service.get('/readyz')).status)
  while (!service.stdout().includes('is running at'))
  const password = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).databasePassword
  const pool = openPool(findRunningUrls({ dataDir, password })?.url ?? '', { max: 2, name: 'test', noTimeouts: true })
  afterwards(() => pool.end())
  await pool.query(`INSERT INTO workspaces (id, name, slug) VALUES ('w', 'Test', 'w')`)
  await pool.query(`INSERT INTO programs (id, workspace_id, name, created_at) VALUES (1, 'w', 'Test', now())`)
  await pool.query(
    `INSERT INTO partners (program_id, id, name, code, status, created_at) VALUES (1, 1, 'P', 'p', 'approved', now())`,
  )
  await pool.query(`INSERT INTO referral_links (aff, program_id, partner_id, created_at) VALUES ('aff', 1, 1, now())`)
  const countClicks = async () => Number((await pool.query('SELECT count(*) FROM click_events')).rows[0].count)
  return { ...service, statusesWhileStarting, dataDir, pool, db: openDatabase(pool), countClicks }
}

export const workersOf = (service: Pick<Service, 'pid'>) =>
  childrenOf(service.pid).filter(({ command }) => command.includes('workers/worker.ts'))

/** A click on a new connection or a kept-alive one. Returns 200, or the status with its error code. */
export const clickOn = async (service: Pick<Service, 'port'>, { keepalive = false } = {}) => {
  const response = await fetch(`http://localhost:${service.port}/api/v1/track/click`, {
    method: 'POST',
    keepalive,
    headers: { 'content-type': 'application/json', ...(!keepalive && { connection: 'close' }) },
    body: JSON.stringify({ affiliate_url: 'https://shop.example/?aff=aff' }),
  })
  const text = await response.text()
  return response.ok ? '200' : `${response.status} ${JSON.parse(text).error?.code}`
}

/** A busy machine may reject a click it has no time for. It says so, and nothing is recorded. */
export const REFUSED = '503 overloaded'

/** Without a pause, the callers would take the CPU from what the test waits for. */
const PAUSE_MS = sized({ short: 20, long: 5 })

/** Clicks until stopped, then reports how each click was answered. */
export const givenLoad = (service: Pick<Service, 'port'>, { callers }: { callers: number }) => {
  const answers: Record<string, number> = {}
  let over = false
  const call = async (keepalive: boolean) => {
    while (!over) {
      const answer = await clickOn(service, { keepalive }).catch((error) => `${error.code ?? error}`)
      answers[answer] = (answers[answer] ?? 0) + 1
      await Bun.sleep(PAUSE_MS)
    }
  }
  const calling = Array.from({ length: callers }, (_, caller) => call(caller % 2 === 0))
  return {
    answered: (answer: string) => answers[answer] ?? 0,
    stop: async () => {
      over = true
      await Promise.all(calling)
      return answers
    },
  }
}
