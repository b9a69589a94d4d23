import pg from 'pg'
import { checkConnection } from './check-connection.ts'
import { APP_ROLE } from './connect.ts'
import { QUERY_MS } from './overdue.ts'
import { SCHEMA_CHANGED } from './schema-lock.ts'

const MIGRATIONS = 'SELECT name FROM kysely_migration'
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const HEARTBEAT_MS = 5_000

type Options = {
  /** What to do with a message, by the channel it comes on. */
  hear: Record<string, (message: string) => void>
  /** While nobody listened, anything may have been said. */
  onReconnect: () => void
  /** The migrations of the database: at every connection, after a migration, and with every heartbeat. */
  onMigrations?: (run: string[]) => void
}

/** Listens to what other processes say through the database (NOTIFY), on a connection of its own that comes back when it is lost. */
export const hearNews = (databaseUrl: string, { hear, onReconnect, onMigrations }: Options) => {
  let stopped = false
  let endPause = () => {}
  let client: pg.Client | null = null

  const listen = async () => {
    const current = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'tributary news',
      options: `-c timezone=UTC -c role=${APP_ROLE}`,
      connectionTimeoutMillis: 2_000,
      query_timeout: QUERY_MS,
      keepAlive: true,
    })
    const lost = new Promise<void>((resolve) => current.once('end', resolve).once('error', () => resolve()))
    current.on('error', () => {})
    const lookAtSchema = async () => {
      const { rows } = await current.query<{ name: string }>(onMigrations ? MIGRATIONS : 'SELECT')
      onMigrations?.(rows.map(({ name }) => name))
    }
    current.on('notification', ({ channel, payload }) => {
      if (channel === SCHEMA_CHANGED) lookAtSchema().catch(() => {}) // the next heartbeat looks again
      hear[channel]?.(payload ?? '')
    })
    client = current
    try {
      await current.connect()
      await checkConnection(current, { role: APP_ROLE, limits: {}, schema: false })
      for (const channel of [...Object.keys(hear), SCHEMA_CHANGED]) await current.query(`LISTEN ${channel}`)
      onReconnect()
      await lookAtSchema()
      return { lost, beat: lookAtSchema }
    } catch (error) {
      current.end().catch(() => {})
      throw error
    }
  }

  /** A connection can be dead without anybody having said so; then the question does not come back. */
  const untilLost = async ({ lost, beat }: Awaited<ReturnType<typeof listen>>) => {
    for (let alive = true; alive && !stopped; ) {
      const gone = lost.then(() => false)
      alive = await Promise.race([gone, pause(HEARTBEAT_MS).then(() => true)])
      if (alive && !stopped)
        alive = await beat().then(
          () => true,
          () => false,
        )
    }
  }

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const keepListening = async () => {
    for (let pauseMs = FIRST_PAUSE_MS; !stopped; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const listening = await listen()
        pauseMs = FIRST_PAUSE_MS
        await untilLost(listening)
      } catch {
        // Bad weather: nobody is told anything, and all that is remembered has a short life anyway.
      }
      client?.end().catch(() => {})
      if (!stopped) await pause(pauseMs)
    }
  }

  const done = keepListening()
  return {
    stop: async () => {
      stopped = true
      endPause()
      await done
    },
  }
}
