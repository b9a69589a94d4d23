import { announcementOf } from './announcement.ts'
import { buildApp } from './app.ts'
import { type Clock, systemClock } from './clock.ts'
import { compose, type ToCompose } from './compose.ts'
import { keepHouse } from './housekeeping.ts'
import { type Port, takePort } from './listen.ts'
import { prepareDatabase } from './prepare-database.ts'

type Options = Omit<ToCompose, 'clock' | 'seat'> & { ownerUrl: string; clock?: Clock }

/** The whole service in one process on a database that is there: port, schema, app. What main.ts runs and what the tests run. */
export const startService = async (options: Options) => {
  const { config, databaseUrl, ownerUrl, clock = systemClock } = options
  const port = takePort(config)
  const begin = async () => {
    await prepareDatabase({ ...options, clock })
    return serve({ ...options, clock, listen: () => port })
  }
  const service = await begin().catch(async (error) => {
    await port.stop()
    throw error
  })
  const { retentionDays } = config
  const { hashKey } = options.secrets
  const house = keepHouse({ databaseUrl, ownerUrl, clock, log: service.log, retentionDays, hashKey })
  return {
    url: `http://localhost:${port.port}`,
    mustStop: service.mustStop,
    announcement: await announcementOf({ databaseUrl, config, secrets: options.secrets, port: port.port }),
    /** There is nobody to answer meanwhile. */
    roll: async () =>
      service.log.warn('SIGUSR2 replaces workers one by one; with WORKERS=1 there is none, so nothing was done'),
    stop: async () => {
      await service.stop()
      await house.stop()
    },
  }
}

type ToServe = ToCompose & { listen: () => Port }

/** Answers requests on a database that is prepared. Listens last: where the port is shared, whoever listens is sent requests. */
export const serve = async ({ listen, ...options }: ToServe) => {
  const { dependencies, limits, metrics, mustStop, close } = await compose(options)
  const app = buildApp(dependencies)
  const port = listen()
  port.serve(app)
  void mustStop.then(port.refuse)
  return {
    log: dependencies.log,
    /** Resolves with one sentence once the schema is not ours; from then on every call is answered 503. */
    mustStop,
    metrics,
    limits,
    leave: port.leave,
    /** Stops taking requests, answers those it has, and lets go of the database. */
    stop: async () => {
      dependencies.liveEvents.close()
      await port.stop()
      await close()
    },
  }
}

export type Serving = Awaited<ReturnType<typeof serve>>
