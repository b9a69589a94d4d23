import { announcementOf } from '../announcement.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { keepHouse } from '../housekeeping.ts'
import { takePort } from '../listen.ts'
import { createLog } from '../log.ts'
import { prepareDatabase } from '../prepare-database.ts'
import type { Secrets } from '../secrets.ts'
import { runWorkers } from './run-workers.ts'

type Options = { config: Config; secrets: Secrets; databaseUrl: string }

/**
 * The service as several processes on one port. This one owns what there is one of: the database's preparation, the hourly
 * work, the workers. It answers no request but, until the first worker serves, with "starting".
 */
export const startWithWorkers = async (options: Options) => {
  const { config, databaseUrl } = options
  const log = createLog(config.logLevel)
  const port = await takeSharedPort(config)
  let left: Promise<void> | null = null
  const leave = () => {
    left ??= port.stop()
    return left
  }
  try {
    await prepareDatabase({ ...options, clock: systemClock })
    const assignment = { ...options, config: { ...config, port: port.port } }
    const workers = await runWorkers({
      ...{ count: config.workers, assignment },
      log: (line) => console.error(line),
      onFirst: () => void leave(),
    })
    await leave()
    const house = keepHouse({ databaseUrl, clock: systemClock, log, retentionDays: config.retentionDays })
    return {
      announcement: await announcementOf({ databaseUrl, config, port: port.port }),
      roll: workers.roll,
      stop: async () => {
        await workers.stop()
        await house.stop()
      },
    }
  } catch (error) {
    await leave()
    throw error
  }
}

/** Whoever shares a port is not told when somebody else shares it too; so it is first taken whole, to see that it is free. */
const takeSharedPort = async (config: Config) => {
  const whole = takePort(config)
  await whole.stop()
  return takePort({ ...config, port: whole.port, shared: true })
}
