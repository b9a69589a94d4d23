import { ERROR_STATUS } from '@tributary/contract'
import type { Config } from './config/config.ts'
import { StartupError } from './config/startup-error.ts'
import type { Answering } from './http/context.ts'

/** How long a connection may go without a complete request or response. Slowloris guard: single bytes do not extend it. */
const IDLE_SECONDS = 30

/** Disabled so that oversized bodies get our error format: http/read-json.ts rejects them before reading. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** The connection is closed so that the retry reaches the process that holds the port by then. */
const HEADERS = { 'retry-after': '1', 'access-control-allow-origin': '*', connection: 'close' }

/** A stalled client must not block shutdown; supervisors usually allow ten seconds. */
const DRAIN_MS = 8_000

/** How long a retiring worker keeps answering while clients reconnect to its replacement. */
const LEAVING_MS = 1_000
/** A busy machine can take longer to read a queued request, and closing its connection would lose it. */
const LEAVING_AT_MOST_MS = 8_000

/** Nothing was recorded; the caller should retry. */
const unavailable = (message: string) => {
  const requestId = crypto.randomUUID()
  return Response.json(
    { success: false, error: { code: 'unavailable', message, request_id: requestId } },
    { status: ERROR_STATUS.unavailable, headers: { ...HEADERS, 'x-request-id': requestId } },
  )
}

/** Sent until the service is ready. */
const starting = () => unavailable('The service is starting. Retry in a second.')

const upgrading = () => unavailable('The service is being upgraded. Retry in a few seconds.')

export type Port = ReturnType<typeof takePort>

/** Whether this machine can listen on an address, on any port. */
const isOurs = (hostname: string) => {
  try {
    Bun.serve({ port: 0, hostname, fetch: starting }).stop(true)
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
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: NO_LIMIT,
      fetch: starting,
    })
    let isStopping = false
    let askedAt = 0
    /** Tells a keep-alive client that this response is the last on its connection. */
    const lastAnswer = async (answer: Response | Promise<Response>) => {
      const response = await answer
      response.headers.set('connection', 'close')
      return response
    }
    return {
      port: server.port ?? port,
      serve: (app: Answering) =>
        void server.reload({
          fetch: (request, self) => {
            if (isStopping) askedAt = performance.now()
            const answer = app.fetch(request, { server: self })
            return isStopping ? lastAnswer(answer) : answer
          },
        }),
      /** From now on nothing is recorded: every request is answered 503 until the process exits. */
      refuse: () => void server.reload({ fetch: upgrading }),
      /** Keeps answering, but asks each client to reconnect, until requests stop arriving. Used when a replacement is running. */
      leave: async () => {
        isStopping = true
        const latest = performance.now() + LEAVING_AT_MOST_MS
        do await Bun.sleep(LEAVING_MS)
        while (performance.now() - askedAt < LEAVING_MS && performance.now() < latest)
      },
      /** Finishes the requests in progress and accepts no new ones. */
      stop: async () => {
        isStopping = true
        const late = setTimeout(() => void server.stop(true), DRAIN_MS)
        await server.stop()
        clearTimeout(late)
      },
    }
  } catch (error) {
    const code = (error as { code?: string }).code
    // Bun also reports EADDRINUSE for an address that this machine does not have.
    if (code === 'EADDRINUSE' && isOurs(host))
      throw new StartupError(`Port ${port} is in use. Stop the program that uses it or set a different PORT.`)
    const why = code === 'EADDRINUSE' ? 'not an address of this machine' : (code ?? (error as Error).message)
    throw new StartupError(`Cannot listen on ${host}:${port} (${why}). Check HOST and PORT.`)
  }
}
