import type { Kysely } from 'kysely'
import pg from 'pg'
import { connectionTo, followPrimary } from './hosts/primary-client.ts'
import { openKysely } from './kysely.ts'
import { QUERY_TIMEOUT_MS } from './query-timeout.ts'
import { SchemaMismatch } from './schema/own-migrations.ts'
import { checkConnection } from './start/check-connection.ts'
import type { DB } from './tables.ts'

export type Database = Kysely<DB>

const INT8 = 20
const DATE = 1082

/** Counts and cents stay far below 2^53; fail rather than round. */
const readInteger = (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly`)
  return value
}

const TYPES: Record<number, (text: string) => unknown> = {
  [INT8]: readInteger,
  [DATE]: (text) => text,
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && TYPES[oid]) || pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** The service's role after startup: it owns no tables and cannot rewrite the ledger (0001-instance.sql, 0006-money.sql). */
export const APP_ROLE = 'tributary_app'

const LIMITS = { statement_timeout: 2_500, lock_timeout: 2_000, idle_in_transaction_session_timeout: 5_000 }

type Options = {
  max: number
  name?: string
  noTimeouts?: boolean
  hasOwnTimeouts?: boolean
  role?: string
  /** Accept only databases with exactly our migrations; the default for the application role. */
  schema?: boolean
  /** How long a caller waits for a free connection, and for a new one. */
  connectionWaitMs?: number
  onMismatch?: (mismatch: SchemaMismatch) => void
}

/** Everything has a timeout: a frozen database must produce a 503, not a hanging request. */
export const openPool = (
  url: string,
  {
    max,
    name = 'tributary',
    noTimeouts = false,
    hasOwnTimeouts = false,
    role,
    schema = role !== undefined,
    connectionWaitMs = 2_000,
    onMismatch,
  }: Options,
) => {
  const { primary, connectionString, Client } = connectionTo(url)
  const pool = new pg.Pool({
    connectionString,
    Client,
    max,
    types,
    application_name: name,
    connectionTimeoutMillis: connectionWaitMs,
    idleTimeoutMillis: 30_000,
    options: `-c timezone=UTC${role ? ` -c role=${role}` : ''}`,
    ...(!noTimeouts && {
      // prepared.ts applies its own timeout, so no per-query timer is needed.
      query_timeout: hasOwnTimeouts ? undefined : QUERY_TIMEOUT_MS,
      ...LIMITS,
    }),
    onConnect: (client) =>
      checkConnection(client, { role, limits: noTimeouts ? {} : LIMITS, schema }).catch((error) => {
        if (error instanceof SchemaMismatch) onMismatch?.(error)
        throw error
      }),
  })
  // A broken connection fails its query and the pool replaces it. Without these listeners the error event would crash the
  // process: it is emitted on the pool while the connection is idle, on the client while in use.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  discardUncleanConnections(pool)
  if (primary) followPrimary(pool, primary)
  return pool
}

export const openDatabase = (pool: pg.Pool): Database => openKysely(pool)

/** Members of a `pg` client that its types omit. */
type PgInternals = { getTransactionStatus: () => string | null; _getActiveQuery?: () => object | null }

/**
 * A query that timed out may still be running when its connection is released, and its rollback is never sent. Closing the
 * connection keeps the next user from committing that leftover work.
 */
const discardUncleanConnections = (pool: pg.Pool) => {
  pool.on('release', (_, client) => {
    const internals = client as unknown as PgInternals
    const isIdle = internals.getTransactionStatus() === 'I' && !internals._getActiveQuery?.()
    // The pool discards a client that is ending.
    if (!isIdle) void (client as unknown as pg.Client).end().catch(() => {})
  })
}
