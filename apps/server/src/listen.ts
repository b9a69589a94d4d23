import { ERROR_STATUS } from '@tributary/contract'
import { type Config, StartupError } from './config.ts'
import type { App } from './http/context.ts'

/** Seconds without a byte from a client before its connection is closed. */
const IDLE_SECONDS = 30

/** Until the service is built, a request is told to come back. Nobody has to guess whether the port is right. */
const starting = () =>
  Response.json(
    {
      success: false,
      error: {
        code: 'unavailable',
        message: 'The service is starting. Send the same call again in a second.',
        request_id: crypto.randomUUID(),
      },
    },
    { status: ERROR_STATUS.unavailable, headers: { 'retry-after': '1' } },
  )

/** Takes the port before anything else is touched: a second service on it must not get as far as the database. */
export const takePort = ({ port, host }: Pick<Config, 'port' | 'host'>) => {
  try {
    const server = Bun.serve({ port, hostname: host, idleTimeout: IDLE_SECONDS, fetch: starting })
    return {
      port: server.port ?? port,
      serve: (app: App) => void server.reload({ fetch: (request, self) => app.fetch(request, { server: self }) }),
      /** Answers what is under way and takes nothing new. */
      stop: () => server.stop(),
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'EADDRINUSE')
      throw new StartupError(`Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`)
    throw error
  }
}
