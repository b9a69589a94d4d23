import { mkdirSync } from 'node:fs'
import { readConfig } from '../../apps/server/src/config/config.ts'
import { openPool } from '../../apps/server/src/database/connect.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/database/embedded.ts'
import { loadSecrets } from '../../apps/server/src/secrets.ts'
import { lockInstance } from '../../apps/server/src/startup/instance-lock.ts'
import { startWithWorkers } from '../../apps/server/src/workers/start-with-workers.ts'

/** Shorter than a receiver takes to answer. */
const FORGET_MS = 50

/** Several workers as main.ts runs them, but a claimed delivery is due again immediately, so another worker takes it too. */
const config = readConfig(process.env)
mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
const lock = lockInstance(config.dataDir)
const secrets = loadSecrets(config.dataDir)
const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, password: secrets.databasePassword })
const service = await startWithWorkers({ config, secrets, databaseUrl: postgres.serviceUrl, ownerUrl: postgres.url })

const pool = openPool(postgres.url, { max: 1, name: 'control', noTimeouts: true })
const forget = async () => {
  const claimed = `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE lease IS NOT NULL AND state = 'pending'`
  await pool.query(claimed).catch(() => {})
  setTimeout(forget, FORGET_MS)
}
void forget()

process.once('SIGTERM', async () => {
  await service.stop()
  await postgres.stop()
  lock.release()
  process.exit(0)
})
console.log(`A control is running at http://localhost:${config.port}`)
