import { buildApp } from './app.ts'
import { type Clock, systemClock } from './clock.ts'
import { type ComposeOptions, compose } from './compose.ts'
import { startHousekeeping } from './housekeeping.ts'
import { type Port, takePort } from './listen.ts'
import { createLog } from './log.ts'
import { buildAnnouncement } from './startup/announcement.ts'
import { prepareDatabase } from './startup/prepare-database.ts'

type Options = Omit<ComposeOptions, 'clock' | 'worker'> & { ownerUrl: string; clock?: Clock; withoutBackup?: boolean }

/** Runs the whole service in one process: port, schema and app. Used by main.ts and the tests. */
export const startService = async (options: Options) => {
  const { config, secrets, databaseUrl, ownerUrl, clock = systemClock } = options
  const port = takePort(config)
  const start = async () => {
    await prepareDatabase({ ...options, clock, log: createLog(config.logLevel, config) })
    // Before requests are served: from then on, the service outlives a database that is gone.
    const announcement = await buildAnnouncement({ databaseUrl, config, secrets, port: port.port })
    return { announcement, ...(await serve({ ...options, clock, listen: () => port })) }
  }
  const service = await start().catch(async (error) => {
    await port.stop()
    throw error
  })
  const jobs = { clock, log: service.log, config, secrets }
  const housekeeping = startHousekeeping({ ...jobs, databaseUrl, ownerUrl })
  return {
    url: `http://localhost:${port.port}`,
    mustStop: service.mustStop,
    announcement: service.announcement,
    /** A single process cannot be replaced without downtime. */
    roll: async () => service.log.warn('SIGUSR2 ignored: it replaces workers one by one, and WORKERS=1 has none'),
    stop: async () => {
      await service.stop()
      await housekeeping.stop()
    },
  }
}

type ServeOptions = ComposeOptions & { listen: () => Port }

/** Serves requests on a prepared database. Listens last, because a shared port receives requests immediately. */
export const serve = async ({ listen, ...options }: ServeOptions) => {
  const { dependencies, limits, metrics, mustStop, close } = await compose(options)
  const app = buildApp(dependencies)
  const port = listen()
  port.serve(app)
  void mustStop.then(port.refuse)
  return {
    log: dependencies.log,
    /** Resolves with the reason once the schema is another version's; from then on every request is answered 503. */
    mustStop,
    metrics,
    limits,
    drain: port.drain,
    /** Finishes the requests in progress, then closes the database. */
    stop: async () => {
      dependencies.liveEvents.close()
      dependencies.eventFeed.close()
      await port.stop()
      await close()
    },
  }
}

export type RunningService = Awaited<ReturnType<typeof serve>>
