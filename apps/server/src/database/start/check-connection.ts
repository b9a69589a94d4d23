import type pg from 'pg'
import { StartupError } from '../../config/startup-error.ts'
import { findSchemaMismatch, OWN_VERSION } from '../schema/own-migrations.ts'
import { holdSchemaOf } from '../schema/schema-lock.ts'

/** A connection whose settings are not the ones we requested. */
export class UnsuitableConnection extends StartupError {
  override name = 'UnsuitableConnection'
}

const CHECK_TIMEOUT_MS = 2_000
const LOCK_NOT_AVAILABLE = '55P03'
const NO_SUCH_TABLE = '42P01'

export type Expected = {
  /** The role that statements run as; undefined for the login itself. */
  role: string | undefined
  /** Timeouts in milliseconds by setting name. */
  limits: Record<string, number>
  /** Whether the connection uses this version's tables, and so requires its schema. */
  schema: boolean
}

/** A pool's `onConnect`: rejects the connection before it is used. */
export const checkConnection = async (client: pg.ClientBase, { role, limits, schema }: Expected) => {
  const [settings] = await query<{ current_user: string; timezone: string; synchronous: string; limits: Limits }>(
    client,
    `SELECT current_user, current_setting('TimeZone') AS timezone, current_setting('synchronous_commit') AS synchronous,
      ${currentLimits(Object.keys(limits))} AS limits`,
  )
  if (role && settings?.current_user !== role)
    throw settingDropped(`the role is ${settings?.current_user}, not ${role}`)
  if (settings?.timezone !== 'UTC') throw settingDropped(`timezone is ${settings?.timezone}, not UTC`)
  for (const [name, expected] of Object.entries(limits))
    if (settings.limits?.[name] !== expected)
      throw settingDropped(`${name} is ${settings.limits?.[name]} ms, not ${expected}`)
  if (settings.synchronous === 'off')
    throw new UnsuitableConnection(
      `The database user has synchronous_commit off, so acknowledged data could be lost. Turn it on for ${settings.current_user}.`,
    )
  if (schema) await holdSchema(client)
}

type Limits = Record<string, number> | null

const currentLimits = (names: string[]) =>
  names.length === 0
    ? 'NULL'
    : `json_build_object(${names.map((name) => `'${name}', (1000 * extract(epoch FROM current_setting('${name}')::interval))::int`).join(', ')})`

const settingDropped = (what: string) =>
  new UnsuitableConnection(
    `The database connection is not as requested (${what}). A proxy such as PgBouncer with ignore_startup_parameters drops these settings. Connect to Postgres directly, or see "An external database" in SECURITY.md.`,
  )

/** Lock first: the migrations cannot change while the connection holds the lock. */
const holdSchema = async (client: pg.ClientBase) => {
  try {
    await query(client, holdSchemaOf(OWN_VERSION))
    const run = await query<{ name: string }>(client, 'SELECT name FROM kysely_migration')
    const mismatch = findSchemaMismatch(run.map(({ name }) => name))
    if (mismatch) throw mismatch
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === NO_SUCH_TABLE) throw findSchemaMismatch([]) ?? error
    if (code === LOCK_NOT_AVAILABLE)
      throw new UnsuitableConnection('The database is being migrated. Try again when the migration has finished.')
    throw error
  }
}

const query = async <Row extends pg.QueryResultRow>(client: pg.ClientBase, text: string) => {
  const config = { text, query_timeout: CHECK_TIMEOUT_MS } as pg.QueryConfig
  return (await client.query<Row>(config)).rows
}
