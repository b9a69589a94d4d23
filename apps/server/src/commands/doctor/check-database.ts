import { sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import { type ArchiveFailure, findArchiveFailure } from '../../database/archive/archive-failure.ts'
import { APP_ROLE, type Database, openDatabase, openPool } from '../../database/connect.ts'
import { readBacklogs } from '../../database/monitoring/read-backlogs.ts'
import { readServer } from '../../database/monitoring/read-server.ts'
import { connectionsPerNode } from '../../database/pools.ts'
import { missingMigrations, unknownMigrations } from '../../database/schema/migrate.ts'
import { asOwner } from '../../database/start/as-owner.ts'
import { checkLogin } from '../../database/start/check-login.ts'
import { orStartupError } from '../../database/start/or-startup-error.ts'
import { refuseOldPostgres, refuseOtherEncoding, refuseUnsafeDatabase } from '../../database/start/refuse-unsafe.ts'
import { openInstalledDatabase } from '../open-database.ts'
import { formatCount } from '../terminal.ts'
import { type Finding, fail, formatAge, ok, reasonOf, warn } from './finding.ts'

const MAX_SKEW_SECONDS = 2
const LATE_SECONDS = { webhooks: 300, 'ledger seal': 900, 'roll-up': 3 * 3_600 }

export const checkDatabase = async (config: Config): Promise<Finding[]> => {
  try {
    const database = await openInstalledDatabase(config)
    try {
      const server = await orStartupError(asOwner(database.url, (owner) => checkServer(owner, config)))
      const isUsable = server.every(({ level }) => level !== 'fail')
      return isUsable ? [...server, ...(await checkAsService(database.serviceUrl, config))] : server
    } finally {
      await database.close()
    }
  } catch (error) {
    return [fail('database', reasonOf(error))]
  }
}

const attempt = async (check: string, work: () => Promise<string>) => {
  try {
    return ok(check, await work())
  } catch (error) {
    return fail(check, reasonOf(error))
  }
}

const checkServer = async (owner: Database, config: Config): Promise<Finding[]> => [
  await attempt('database', async () => {
    for (const refuse of [refuseOldPostgres, refuseOtherEncoding, refuseUnsafeDatabase]) await refuse(owner)
    const { version } = await readServer(owner)
    return `Postgres ${version} is reachable and keeps what it commits.`
  }),
  await checkMigrations(owner),
  await checkTime(owner),
  await checkConnections(owner, config),
  ...(await checkArchiving(owner, config)),
]

const checkMigrations = async (owner: Database) => {
  const [newer] = await unknownMigrations(owner)
  if (newer) return fail('schema', `A newer version has migrated the database (${newer}). Install that version.`)
  const missing = await missingMigrations(owner)
  if (missing.length > 0)
    return fail(
      'schema',
      `${formatCount(missing.length, 'migration')} did not run (first: ${missing[0]}). Start this version of the service.`,
    )
  return ok('schema', 'All migrations have run.')
}

const checkTime = async (owner: Database) => {
  const before = Date.now()
  const { now } = await readServer(owner)
  const middle = (before + Date.now()) / 2
  const seconds = Math.abs(now.getTime() - middle) / 1000
  return seconds > MAX_SKEW_SECONDS
    ? fail('time', `The clock of the database differs by ${seconds.toFixed(1)} seconds. Synchronize both machines.`)
    : ok('time', 'The clocks of this machine and the database agree.')
}

const checkConnections = async (owner: Database, { workers }: Config) => {
  const { maxConnections: max } = await readServer(owner)
  const needed = connectionsPerNode(workers)
  return needed > max - 10
    ? fail(
        'connections',
        `Each node needs up to ${needed} connections, and Postgres allows ${max}. Raise max_connections or lower WORKERS.`,
      )
    : ok('connections', `Each node needs up to ${needed} connections of ${max}.`)
}

const checkArchiving = async (owner: Database, { backup: { archiveDir } }: Config) => {
  const failure = archiveDir ? await findArchiveFailure((text) => sql.raw<ArchiveFailure>(text).execute(owner)) : null
  return failure ? [fail('archive', failure)] : []
}

/** With the service's own login, role and timeouts. */
const checkAsService = async (url: string, config: Config): Promise<Finding[]> => {
  const pool = openPool(url, { max: 1, name: 'tributary doctor', role: APP_ROLE })
  const db = openDatabase(pool)
  try {
    return [await checkRights(db, config), ...(await checkBacklogs(db))]
  } finally {
    await pool.end()
  }
}

const checkRights = async (db: Database, { databaseOwnerUrl }: Config) => {
  try {
    const warning = await checkLogin(db, { hasOwnerUrl: databaseOwnerUrl !== null })
    return warning ? warn('rights', warning) : ok('rights', 'The service cannot change the ledger.')
  } catch (error) {
    return fail('rights', reasonOf(error))
  }
}

const checkBacklogs = async (db: Database) => {
  const backlogs = await readBacklogs(db)
  const delays = {
    webhooks: backlogs.deliveryDelaySeconds,
    'ledger seal': backlogs.sealDelaySeconds,
    'roll-up': backlogs.rollUpDelaySeconds,
  }
  const late = Object.entries(delays).filter(([name, seconds]) => seconds > LATE_SECONDS[name as keyof typeof delays])
  if (late.length === 0) return [ok('jobs', 'Webhooks, ledger seals and roll-ups are up to date.')]
  return late.map(([name, seconds]) =>
    warn('jobs', `${name}: ${formatAge(seconds)} late. If the service has been running, its log says why.`),
  )
}
