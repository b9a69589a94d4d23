import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { Account } from '../database/embedded/account.ts'
import { startHousekeeping } from '../housekeeping.ts'
import { takePort } from '../listen.ts'
import { createLog, tell } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { buildAnnouncement } from '../startup/announcement.ts'
import { prepareDatabase } from '../startup/prepare-database.ts'
import { runWorkers } from './run-workers.ts'

type Options = {
  config: Config
  secrets: Secrets
  databaseUrl: string
  ownerUrl: string
  serviceAccount?: Account | null
  withoutBackup?: boolean
}

/**
 * Runs the service as several processes on one port. The parent prepares the database, runs the recurring jobs and supervises the
 * workers. It serves no requests except "starting" until the first worker is ready.
 */
export const startWithWorkers = async (options: Options) => {
  const { config, secrets, databaseUrl, ownerUrl, serviceAccount = null } = options
  const log = createLog(config.logLevel, config)
  // These lines are rare, and an operator needs them at any LOG_LEVEL.
  const operatorLog = createLog('info', config)
  const port = await takeSharedPort(config)
  const { promise: mustStop, resolve: onMustStop } = Promise.withResolvers<string>()
  let released: Promise<void> | null = null
  const releasePort = () => {
    released ??= port.stop()
    return released
  }
  try {
    await prepareDatabase({ ...options, clock: systemClock, log })
    // Before requests are served: from then on, the service outlives a database that is gone.
    const announcement = await buildAnnouncement({ databaseUrl, config, secrets, port: port.port })
    // Workers only serve requests, so they do not get the owner's credentials.
    const assignment = {
      databaseUrl,
      serviceAccount,
      config: { ...config, port: port.port, databaseOwnerUrl: null },
      secrets: { ...secrets, databasePassword: '' },
    }
    const workers = await runWorkers({
      count: config.workers,
      assignment,
      tell: (level, sentence) => tell(operatorLog, level, sentence),
      onFirst: () => void releasePort(),
      onMustStop,
    })
    await releasePort()
    const housekeeping = startHousekeeping({ databaseUrl, ownerUrl, clock: systemClock, log, config, secrets })
    return {
      announcement,
      mustStop,
      roll: workers.roll,
      stop: async () => {
        await workers.stop()
        await housekeeping.stop()
      },
    }
  } catch (error) {
    await releasePort()
    throw error
  }
}

/** A shared port does not report that another program shares it too, so bind it exclusively first. */
const takeSharedPort = async (config: Config) => {
  const whole = takePort(config)
  await whole.stop()
  return takePort({ ...config, port: whole.port, shared: true })
}
