import { addressOfRunning } from '../../apps/server/src/database/embedded/running.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/database/embedded.ts'
import { loadSecrets } from '../../apps/server/src/secrets.ts'
import { openDatabaseProxy } from '../proxy/database-proxy.ts'
import type { Stage } from './stage.ts'

type Options = { entry: string } & Omit<Parameters<typeof openDatabaseProxy>[0], 'socketFolder'>

/** The service on a Postgres that is not its own, with something between the two. */
export const startApart = async (stage: Stage, { entry, ...between }: Options) => {
  const dataDir = stage.copyTemplate()
  const { databasePassword: password } = loadSecrets(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, password })
  stage.afterwards(postgres.stop)
  const address = new URL(addressOfRunning({ dataDir, password }) ?? '')
  const proxy = await openDatabaseProxy({ socketFolder: address.searchParams.get('host') ?? '', ...between })
  stage.afterwards(proxy.close)
  const DATABASE_URL = `postgres://${address.username}:${address.password}@127.0.0.1:${proxy.port}${address.pathname}`
  return stage.start({ dataDir, entry, env: { DATABASE_URL } })
}
