import { mkdirSync } from 'node:fs'
import { readConfig } from '../../apps/server/src/config/config.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/database/embedded.ts'
import { loadSecrets } from '../../apps/server/src/secrets.ts'
import { lockInstance } from '../../apps/server/src/startup/instance-lock.ts'
import { startWithWorkers } from '../../apps/server/src/workers/start-with-workers.ts'
import { childrenOf } from '../../apps/server/test/lifecycle/processes.ts'

/** Several workers as main.ts runs them, but a worker is stopped before its replacement starts. */
const config = readConfig(process.env)
mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
const lock = lockInstance(config.dataDir)
const secrets = loadSecrets(config.dataDir)
const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, password: secrets.databasePassword })
const service = await startWithWorkers({ config, secrets, databaseUrl: postgres.serviceUrl, ownerUrl: postgres.url })

process.on('SIGUSR2', () => {
  const workers = childrenOf(process.pid).filter(({ command }) => command.includes('workers/worker.ts'))
  for (const { pid } of workers) process.kill(pid, 'SIGTERM')
})
process.once('SIGTERM', async () => {
  await service.stop()
  await postgres.stop()
  lock.release()
  process.exit(0)
})
console.log(`A control is running at http://localhost:${config.port}`)
