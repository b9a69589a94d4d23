import { findArchivedUntil } from '../../src/database/archive/archive-folder.ts'
import { startArchiving } from '../../src/database/archive/start-archiving.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import type { Log } from '../../src/log.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { queryOn } from './given-postgres.ts'
import { afterwards, until } from './given-service.ts'

/** The embedded Postgres with its archive, without the service. */
export const startArchived = async (dataDir: string, archiveDir: string) => {
  const secrets = loadSecrets(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, password: secrets.databasePassword, archiveDir })
  const { url: ownerUrl, directory: cluster, archive } = postgres
  if (!archive) throw new Error('nothing is archived')
  const warnings: string[] = []
  const log = { info: () => {}, warn: ({ error }: { error: string }) => warnings.push(error) } as unknown as Log
  const archiving = startArchiving({ ownerUrl, cluster, archiveDir, archive, days: 7, secrets, log })
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await archiving.stop()
    await postgres.stop()
  }
  afterwards(stop)
  await until(() => findArchivedUntil(archive) !== null)
  return { archive, warnings, stop, query: (text: string) => queryOn(ownerUrl, text) }
}
