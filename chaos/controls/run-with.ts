import { mkdirSync } from 'node:fs'
import { buildApp } from '../../apps/server/src/app.ts'
import { type Clock, systemClock } from '../../apps/server/src/clock.ts'
import { compose } from '../../apps/server/src/compose.ts'
import { type Config, readConfig } from '../../apps/server/src/config/config.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/database/embedded.ts'
import { startHousekeeping } from '../../apps/server/src/housekeeping.ts'
import type { Dependencies, FetchHandler } from '../../apps/server/src/http/context.ts'
import { takePort } from '../../apps/server/src/listen.ts'
import { createLog } from '../../apps/server/src/log.ts'
import { loadSecrets } from '../../apps/server/src/secrets.ts'
import { lockInstance } from '../../apps/server/src/startup/instance-lock.ts'
import { prepareDatabase } from '../../apps/server/src/startup/prepare-database.ts'

type Replacements = {
  /** The product's parts with one replaced. */
  parts?: (
    dependencies: Dependencies,
    on: { databaseUrl: string; config: Config },
  ) => Dependencies | Promise<Dependencies>
  /** Middleware before the product's routes. */
  before?: (app: FetchHandler, on: { ownerUrl: string }) => FetchHandler | Promise<FetchHandler>
  clock?: Clock
}

/** Like main.ts with parts replaced. Only here: the product has no switch for being wrong. */
export const runWith = async ({
  parts = (dependencies) => dependencies,
  before = (app) => app,
  clock = systemClock,
}: Replacements) => {
  process.on('unhandledRejection', () => {}) // a wrong part may leave promises unhandled
  const config = readConfig(process.env)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const lock = lockInstance(config.dataDir)
  const secrets = loadSecrets(config.dataDir)
  const postgres = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: config.dataDir, password: secrets.databasePassword })
  const databaseUrl = config.databaseUrl ?? postgres?.serviceUrl ?? ''
  const ownerUrl = config.databaseOwnerUrl ?? config.databaseUrl ?? postgres?.url ?? ''
  const port = takePort(config)
  const log = createLog(config.logLevel)
  await prepareDatabase({ config, secrets, databaseUrl, ownerUrl, clock, log })
  const { dependencies, close } = await compose({ config, secrets, databaseUrl, clock })
  port.serve(await before(buildApp(await parts(dependencies, { databaseUrl, config })), { ownerUrl }))
  console.log(`A control is running at http://localhost:${port.port}`)
  const quiet = { ...config, retentionDays: null }
  const house = startHousekeeping({ databaseUrl, ownerUrl, clock, log, config: quiet, secrets })
  process.once('SIGTERM', async () => {
    await port.stop()
    await close()
    await house.stop()
    await postgres?.stop()
    lock.release()
    process.exit(0)
  })
}
