import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { APP_ROLE, type Database, openDatabase, openPool } from '../database/connect.ts'
import { refuseOtherVersions } from '../database/start/refuse-unsafe.ts'
import { loadSecrets, type Secrets } from '../secrets.ts'
import { openInstalledDatabase } from './open-database.ts'

type CommandContext = { db: Database; config: Config; secrets: Secrets }

/** Runs a command on the service's database with the service's secrets and privileges. */
export const withServiceDatabase = async (
  env: Record<string, string | undefined>,
  work: (context: CommandContext) => Promise<void>,
) => {
  const config = readConfig(env)
  // loadSecrets would generate new ones, and nothing hashed with those would match.
  if (!existsSync(join(config.dataDir, 'secrets.json')))
    throw new StartupError(
      `${config.dataDir} has no Tributary instance. Set DATA_DIR to the same value as the service.`,
    )
  const secrets = loadSecrets(config.dataDir)
  const database = await openInstalledDatabase(config)
  const pool = openPool(database.serviceUrl, { max: 2, name: 'tributary command', role: APP_ROLE })
  try {
    const db = openDatabase(pool)
    await refuseOtherVersions(db)
    await work({ db, config, secrets })
  } finally {
    await pool.end()
    await database.close()
  }
}
