import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'
import type { Binaries } from './binaries.ts'
import type { DataFolder } from './data-folder.ts'
import { lastErrorIn } from './server-log.ts'
import { startWatched } from './watched-process.ts'

/** Name of both the superuser and the database. */
export const OWNER = 'tributary'

const DRAFT = 'cluster.new-'

/** Creates the cluster on the first start and returns its directory. It is renamed into place once complete. */
export const ensureCluster = async (folder: DataFolder, binaries: Binaries, password: string) => {
  const cluster = join(folder.home, 'cluster')
  removeDrafts(folder.home)
  if (existsSync(cluster)) refuseOtherVersion(cluster, binaries)
  else await createCluster(folder, binaries, password, cluster)
  return cluster
}

const createCluster = async (
  { home, account }: DataFolder,
  { initdb }: Binaries,
  password: string,
  cluster: string,
) => {
  const draft = join(home, `${DRAFT}${process.pid}-${Date.now()}`)
  const passwordFile = `${draft}.password`
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  try {
    const command = [
      ...[initdb, '--pgdata', draft, '--username', OWNER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      // Byte order does not change with operating system updates, which would corrupt indexes.
      ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      ...['--data-checksums', '--no-instructions'],
    ]
    const { code, output } = await (await startWatched(command, { account })).ended
    if (code !== 0) throw new StartupError(`Could not create the database in ${home}: ${lastErrorIn(output)}.`)
    renameSync(draft, cluster)
  } finally {
    removeDrafts(home)
  }
}

const removeDrafts = (home: string) => {
  for (const name of readdirSync(home)) {
    if (name.startsWith(DRAFT)) rmSync(join(home, name), { recursive: true, force: true })
  }
}

const refuseOtherVersion = (cluster: string, { majorVersion }: Binaries) => {
  const clusterVersion = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (clusterVersion === majorVersion) return
  throw new StartupError(
    `The database in ${cluster} was created by Postgres ${clusterVersion}, but this is Postgres ${majorVersion}. Dump it with the old version and restore it here.`,
  )
}
