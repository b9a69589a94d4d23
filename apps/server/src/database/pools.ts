import type pg from 'pg'
import { StartupError } from '../config/startup-error.ts'
import { APP_ROLE, type Database, openPool } from './connect.ts'
import { openKysely } from './kysely.ts'
import { overloaded } from './overloaded.ts'
import type { SchemaDiffers } from './schema/own-migrations.ts'
import { prepared, statementNames } from './sql/prepared.ts'

/** Of all workers together; each has at least three, so that one slow call is never the only one. */
const CONNECTIONS = 24
const MOST_IN_ONE_PROCESS = 8
const FEWEST_IN_ONE_PROCESS = 3

/** Whoever waits is answered within two seconds (connect.ts); so many can be, on a slow disk. */
const MONEY_WAITING = 1_000
const DASHBOARD_WAITING = 200

type Options = { workers: number; clickWriters: number; onDifference?: (difference: SchemaDiffers) => void }

/**
 * Four rooms that do not borrow from one another: clicks, which come in floods; money that merchants' servers report and
 * webhooks of the payment processor, which must both get through the flood; and the dashboard, whose questions can be heavy.
 */
export const openPools = (url: string, { workers, clickWriters, onDifference }: Options) => {
  const max = Math.max(FEWEST_IN_ONE_PROCESS, Math.min(MOST_IN_ONE_PROCESS, Math.ceil(CONNECTIONS / workers)))
  const clicks = openPool(url, { max: clickWriters, name: 'tributary clicks', role: APP_ROLE, onDifference })
  const watched = { max, role: APP_ROLE, watched: true, onDifference }
  const money = openPool(url, { ...watched, name: 'tributary money' })
  const webhooks = openPool(url, { ...watched, name: 'tributary webhooks' })
  const dashboard = openPool(url, watched)
  const all = { clicks, money, webhooks, dashboard }
  return {
    clicks,
    db: bounded(dashboard, DASHBOARD_WAITING),
    moneyDb: bounded(money, MONEY_WAITING),
    webhookDb: bounded(webhooks, MONEY_WAITING),
    all,
    check: () => checkOne(dashboard),
    end: () => Promise.all(Object.values(all).map((pool) => pool.end())),
  }
}

/**
 * Before the first request, and for all pools, which sign in alike: a database that is away is waited for as
 * ever, one that is not ours to serve on is not.
 */
const checkOne = async (pool: pg.Pool) => {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    if (error instanceof StartupError) throw error
  }
}

const NO_CONNECTION_IN_TIME = /timeout exceeded when trying to connect/

/** `pg` lets any number wait for a connection; we refuse at once whom we could not serve in time. */
const bounded = (pool: pg.Pool, maxWaiting: number): Database => {
  const nameOf = statementNames()
  const connect = async () => {
    if (pool.waitingCount >= maxWaiting) throw overloaded()
    const isBusy = pool.totalCount > 0 && pool.idleCount === 0
    try {
      return prepared(await pool.connect(), nameOf)
    } catch (error) {
      // Every connection was at work all the while: that is our load, not the database's absence.
      if (isBusy && error instanceof Error && NO_CONNECTION_IN_TIME.test(error.message)) throw overloaded()
      throw error
    }
  }
  return openKysely({ connect, end: () => pool.end() })
}
