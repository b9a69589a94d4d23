import { ERROR_STATUS } from '@tributary/contract'
import type { Config } from './config/config.ts'
import { StartupError } from './config/startup-error.ts'
import type { FetchHandler } from './http/context.ts'

/** How long a connection may go without a complete request or response. Slowloris guard: single bytes do not extend it. */
const IDLE_TIMEOUT_SECONDS = 30

/** Disabled so that oversized bodies get our error format: http/read-json.ts rejects them before reading. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** The connection is closed so that the retry reaches the process that holds the port by then. */
const HEADERS = { 'retry-after': '1', 'access-control-allow-origin': '*', connection: 'close' }

/** A stalled client must not block shutdown; supervisors usually allow ten seconds. */
const STOP_TIMEOUT_MS = 8_000

/** How long a retiring worker keeps answering while clients reconnect to its replacement. */
const DRAIN_QUIET_MS = 1_000
/** A busy machine can take longer to read a queued request, and closing its connection would lose it. */
const MAX_DRAIN_MS = 8_000

/** Nothing was recorded; the caller should retry. */
const unavailable = (message: string) => {
  const requestId = crypto.randomUUID()
  return Response.json(
    { success: false, error: { code: 'unavailable', message, request_id: requestId } },
    { status: ERROR_STATUS.unavailable, headers: { ...HEADERS, 'x-request-id': requestId } },
  )
}

/** Sent until the service is ready. */
const respondStarting = () => unavailable('The service is starting. Retry in a second.')

const respondUpgrading = () => unavailable('The service is being upgraded. Retry in a few seconds.')

export type Port = ReturnType<typeof takePort>

/** Whether this machine can listen on an address, on any port. */
const canListenOn = (hostname: string) => {
  try {
    Bun.serve({ port: 0, hostname, fetch: respondStarting }).stop(true)
    return true
  } catch {
    return false
  }
}

/** Takes the port before opening the database: a second service on the same port must not run migrations. */
export const takePort = ({ port, host, shared = false }: Pick<Config, 'port' | 'host'> & { shared?: boolean }) => {
  try {
    const server = Bun.serve({
      port,
      hostname: host,
      // Workers share the port. A single process takes it exclusively, so that a second one fails with "in use".
      reusePort: shared,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      maxRequestBodySize: NO_LIMIT,
      fetch: respondStarting,
    })
    let isStopping = false
    let lastRequestAt = 0
    /** Tells a keep-alive client that this response is the last on its connection. */
    const closeAfter = async (answer: Response | Promise<Response>) => {
      const response = await answer
      response.headers.set('connection', 'close')
      return response
    }
    return {
      port: server.port ?? port,
      serve: (app: FetchHandler) =>
        void server.reload({
          fetch: (request, self) => {
            if (isStopping) lastRequestAt = performance.now()
            const answer = app.fetch(request, { server: self })
            return isStopping ? closeAfter(answer) : answer
          },
        }),
      /** From now on nothing is recorded: every request is answered 503 until the process exits. */
      refuse: () => void server.reload({ fetch: respondUpgrading }),
      /** Keeps answering, but asks each client to reconnect, until requests stop arriving. Used when a replacement is running. */
      drain: async () => {
        isStopping = true
        const deadline = performance.now() + MAX_DRAIN_MS
        do await Bun.sleep(DRAIN_QUIET_MS)
        while (performance.now() - lastRequestAt < DRAIN_QUIET_MS && performance.now() < deadline)
      },
      /** Finishes the requests in progress and accepts no new ones. */
      stop: async () => {
        isStopping = true
        const timeout = setTimeout(() => void server.stop(true), STOP_TIMEOUT_MS)
        await server.stop()
        clearTimeout(timeout)
      },
    }
  } catch (error) {
    const code = (error as { code?: string }).code
    // Bun also reports EADDRINUSE for an address that this machine does not have.
    if (code === 'EADDRINUSE' && canListenOn(host))
      throw new StartupError(`Port ${port} is in use. Stop the program that uses it or set a different PORT.`)
    const why = code === 'EADDRINUSE' ? 'not an address of this machine' : (code ?? (error as Error).message)
    throw new StartupError(`Cannot listen on ${host}:${port} (${why}). Check HOST and PORT.`)
  }
}
