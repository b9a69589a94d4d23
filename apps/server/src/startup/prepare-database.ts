import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { ensurePartitions } from '../database/schema/partitions.ts'
import { asApplication, asOwner } from '../database/start/as-owner.ts'
import { checkLogin } from '../database/start/check-login.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import {
  refuseForeignDatabase,
  refuseNewerDatabase,
  refuseOldPostgres,
  refuseOtherEncoding,
  refuseOtherSecrets,
  refuseUnsafeDatabase,
} from '../database/start/refuse-unsafe.ts'
import { seedDemo } from '../demo/seed-demo.ts'
import { rollUpAll } from '../events/roll-up/catch-up.ts'
import { type Log, logHead } from '../log.ts'
import { sealAll } from '../money/ledger/seal.ts'
import { deriveKey, type Secrets, secretsFile } from '../secrets.ts'
import { upgradeDatabase } from './upgrade-database.ts'

type Options = {
  config: Config
  secrets: Secrets
  databaseUrl: string
  ownerUrl: string
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** The operator has another backup. */
  withoutBackup?: boolean
}

/** Runs once before the first request, regardless of the number of workers. */
export const prepareDatabase = async (options: Options) => {
  const { config, secrets, databaseUrl, ownerUrl, clock, log } = options
  let isSeeded = false
  await orStartupError(
    asOwner(ownerUrl, async (db) => {
      await refuseOldPostgres(db)
      await refuseUnsafeDatabase(db)
      await refuseOtherEncoding(db)
      await refuseForeignDatabase(db)
      await refuseNewerDatabase(db)
      await upgradeDatabase(db, { ...options, at: clock() })
      await refuseOtherSecrets(db, {
        derived: deriveKey(secrets, 'mark in the database'),
        file: config.givenSecrets ? 'HASH_KEY' : secretsFile(config.dataDir),
      })
      await ensurePartitions(db, { since: clock(), at: clock() })
      if (config.demo)
        isSeeded = await seedDemo(db, { clock, dataDir: config.dataDir, hashKey: secrets.hashKey, cell: config.cell })
    }),
  )
  await orStartupError(
    asApplication(databaseUrl, async (db) => {
      const warning = await checkLogin(db, { hasOwnerUrl: ownerUrl !== databaseUrl })
      if (warning) log.warn(warning)
      // Otherwise the demo's traffic sources are empty until the timer.
      if (isSeeded) await rollUpAll(db, clock)
      // Seal lines written before the last stop, or by the demo, without waiting for the timer.
      await sealAll(db, clock(), logHead(log))
    }),
  )
}
