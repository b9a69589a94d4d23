import { ERROR_STATUS } from '@tributary/contract'
import type { Config } from './config/config.ts'
import { StartupError } from './config/startup-error.ts'
import type { Answering } from './http/context.ts'

/** Seconds that a connection may go without a whole request or an answer: bytes that come one by one do not prolong them. */
const IDLE_SECONDS = 30

/** Bun's own refusal of a large body would not look like ours; http/read-json.ts refuses it before it is read. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** The next call goes to whoever has the port then. */
const HEADERS = { 'retry-after': '1', 'access-control-allow-origin': '*', connection: 'close' }

/** A client that stalls must not keep the service from stopping; whoever stops it waits ten seconds as a rule. */
const DRAIN_MS = 8_000

/** While a worker leaves and its replacement is there, each client is told on its next answer to connect anew. */
const LEAVING_MS = 1_000
/** On a busy machine a call can lie unread for longer than that; whoever closes its connection then has lost it. */
const LEAVING_AT_MOST_MS = 8_000

/** Nothing was recorded; the caller is to come back. */
const unavailable = (message: string) => {
  const requestId = crypto.randomUUID()
  return Response.json(
    { success: false, error: { code: 'unavailable', message, request_id: requestId } },
    { status: ERROR_STATUS.unavailable, headers: { ...HEADERS, 'x-request-id': requestId } },
  )
}

/** Until the service is built, a request is told to come back. Nobody has to guess whether the port is right. */
const starting = () => unavailable('The service is starting. Send the same call again in a second.')

const upgrading = () => unavailable('The service is being upgraded. Send the same call again in a few seconds.')

export type Port = ReturnType<typeof takePort>

/** Whether somebody can listen at an address, on whichever port. */
const isOurs = (hostname: string) => {
  try {
    Bun.serve({ port: 0, hostname, fetch: starting }).stop(true)
    return true
  } catch {
    return false
  }
}

/** Takes the port before the database is looked at: a second service on it must not get as far as migrating. */
export const takePort = ({ port, host, shared = false }: Pick<Config, 'port' | 'host'> & { shared?: boolean }) => {
  try {
    const server = Bun.serve({
      port,
      hostname: host,
      // Several processes of ours on one port. Alone, we take it whole: whoever else wants it has to be told that it is in use.
      reusePort: shared,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: NO_LIMIT,
      fetch: starting,
    })
    let isStopping = false
    let askedAt = 0
    /** A connection that is kept alive has to be told that this was the last answer on it. */
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
      /** From now on nothing is recorded: every call is answered 503 until the process ends. */
      refuse: () => void server.reload({ fetch: upgrading }),
      /** For whoever has a replacement: still answers everything, and asks each client to connect anew, until nobody asks. */
      leave: async () => {
        isStopping = true
        const latest = performance.now() + LEAVING_AT_MOST_MS
        do await Bun.sleep(LEAVING_MS)
        while (performance.now() - askedAt < LEAVING_MS && performance.now() < latest)
      },
      /** Answers what is under way and takes nothing new. */
      stop: async () => {
        isStopping = true
        const late = setTimeout(() => void server.stop(true), DRAIN_MS)
        await server.stop()
        clearTimeout(late)
      },
    }
  } catch (error) {
    const code = (error as { code?: string }).code
    // Bun has been seen to say so of an address that is none.
    if (code === 'EADDRINUSE' && isOurs(host))
      throw new StartupError(`Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`)
    const why = code === 'EADDRINUSE' ? 'no address of this machine' : (code ?? (error as Error).message)
    throw new StartupError(`Nobody can listen on ${host}:${port} (${why}). Check HOST and PORT.`)
  }
}
