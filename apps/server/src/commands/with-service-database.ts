import { settleSessionSecret } from '../accounts/settle-session-secret.ts'
import { type Config, readConfig } from '../config/config.ts'
import { APP_ROLE, type Database, openDatabase, openPool } from '../database/connect.ts'
import { refuseOtherVersions } from '../database/start/refuse-unsafe.ts'
import { openExistingSecrets, type Secrets } from '../secrets.ts'
import { openInstalledDatabase } from './open-database.ts'

export type CommandContext = { db: Database; config: Config; secrets: Secrets; ownerUrl: string }

/** Runs a command on the service's database with the service's secrets and privileges. */
export const withServiceDatabase = async (
  env: Record<string, string | undefined>,
  work: (context: CommandContext) => Promise<void>,
) => {
  const config = readConfig(env)
  const found = openExistingSecrets(config)
  const database = await openInstalledDatabase(config)
  const pool = openPool(database.serviceUrl, { max: 2, name: 'tributary command', role: APP_ROLE })
  try {
    const db = openDatabase(pool)
    await refuseOtherVersions(db)
    const secrets = await settleSessionSecret(db, { config, secrets: found })
    await work({ db, config, secrets, ownerUrl: database.url })
  } finally {
    await pool.end()
    await database.close()
  }
}
