import { findRunningUrls } from '../../apps/server/src/database/embedded/running.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/database/embedded.ts'
import { loadSecrets } from '../../apps/server/src/secrets.ts'
import type { Stage } from './stage.ts'

type Line = { port: number; close(): void }

/** The service on an external Postgres, with a proxy in between. */
export const startOnExternalPostgres = async (
  stage: Stage,
  { entry, between }: { entry: string; between: (socketFolder: string) => Promise<Line> },
) => {
  const dataDir = stage.copyTemplate()
  const { databasePassword: password } = loadSecrets(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, password })
  stage.afterwards(postgres.stop)
  const address = new URL(findRunningUrls({ dataDir, password })?.url ?? '')
  const line = await between(address.searchParams.get('host') ?? '')
  stage.afterwards(line.close)
  const DATABASE_URL = `postgres://${address.username}:${address.password}@127.0.0.1:${line.port}${address.pathname}`
  return stage.start({ dataDir, entry, env: { DATABASE_URL } })
}
