import { APP_ROLE } from './connect.ts'
import { openClient } from './hosts/primary-client.ts'
import { QUERY_TIMEOUT_MS } from './query-timeout.ts'
import { LISTENER_NAME } from './schema/installed.ts'
import { SCHEMA_CHANGED } from './schema/schema-lock.ts'
import { checkConnection } from './start/check-connection.ts'

const MIGRATIONS = 'SELECT name FROM kysely_migration'
const MIN_DELAY_MS = 100
const MAX_DELAY_MS = 5_000
const HEARTBEAT_MS = 5_000

type Options = {
  /** Handlers by channel. */
  handlers: Record<string, (message: string) => void>
  /** Notifications sent while disconnected are lost. */
  onReconnect: () => void
  /** The database's migrations: on every connection, after a migration, and with every heartbeat. */
  onMigrations?: (run: string[]) => void
}

/** Listens for NOTIFY from other processes on a dedicated connection that reconnects when lost. */
export const listenForNotifications = (databaseUrl: string, options: Options) => {
  let stopped = false
  const { pause, endPause } = createPause()
  const firstAttempt = Promise.withResolvers<void>()

  /** A connection can die without an error; then the heartbeat query does not return. */
  const waitUntilLost = async ({ lost, heartbeat }: Listener) => {
    for (let alive = true; alive && !stopped; ) {
      const whenLost = lost.then(() => false)
      alive = await Promise.race([whenLost, pause(HEARTBEAT_MS).then(() => true)])
      if (alive && !stopped)
        alive = await heartbeat().then(
          () => true,
          () => false,
        )
    }
  }

  const keepListening = async () => {
    for (let delayMs = MIN_DELAY_MS; !stopped; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      try {
        const listening = await listen(databaseUrl, options).finally(firstAttempt.resolve)
        delayMs = MIN_DELAY_MS
        await waitUntilLost(listening)
        listening.end()
      } catch {
        // Transient error: retry. Missed notifications do little harm, because caches expire quickly.
      }
      if (!stopped) await pause(delayMs)
    }
  }

  const done = keepListening()
  return {
    /** Resolves after the first connection attempt. A process that serves earlier could miss notifications. */
    ready: firstAttempt.promise,
    stop: async () => {
      stopped = true
      endPause()
      await done
    },
  }
}

type Listener = Awaited<ReturnType<typeof listen>>

const listen = async (databaseUrl: string, { handlers, onReconnect, onMigrations }: Options) => {
  const client = openClient(databaseUrl, {
    application_name: LISTENER_NAME,
    options: `-c timezone=UTC -c role=${APP_ROLE}`,
    connectionTimeoutMillis: 2_000,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  })
  const lost = new Promise<void>((resolve) => client.once('end', resolve).once('error', () => resolve()))
  client.on('error', () => {})
  const end = () => void client.end().catch(() => {})
  const checkSchema = async () => {
    const { rows } = await client.query<{ name: string }>(onMigrations ? MIGRATIONS : 'SELECT')
    onMigrations?.(rows.map(({ name }) => name))
  }
  client.on('notification', ({ channel, payload }) => {
    if (channel === SCHEMA_CHANGED) checkSchema().catch(() => {}) // the next heartbeat retries
    handlers[channel]?.(payload ?? '')
  })
  try {
    await client.connect()
    await checkConnection(client, { role: APP_ROLE, limits: {}, schema: false })
    for (const channel of [...Object.keys(handlers), SCHEMA_CHANGED]) await client.query(`LISTEN ${channel}`)
    onReconnect()
    await checkSchema()
    return { lost, heartbeat: checkSchema, end }
  } catch (error) {
    end()
    throw error
  }
}

/** A delay that can be cut short. */
const createPause = () => {
  let endPause = () => {}
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return { pause, endPause: () => endPause() }
}
