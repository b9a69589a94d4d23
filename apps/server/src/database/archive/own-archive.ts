import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { explainWriteError, StartupError } from '../../config/startup-error.ts'
import { lockInstance } from '../../startup/instance-lock.ts'
import { type Account, canAccess } from '../embedded/account.ts'
import { findHome } from '../embedded/data-folder.ts'
import { baseFolder, findArchivedUntil, walFolder } from './archive-folder.ts'
import { listArchives } from './choose-archive.ts'

/**
 * Each cluster has its own folder in ARCHIVE_DIR, named by the identifier that initdb gave it. A restored backup is a new cluster, whose
 * log has the same names as the former one's.
 */
export const archiveOf = (archiveDir: string, cluster: string) => join(archiveDir, readSystemId(cluster))

/** The first field of Postgres' control file, on every platform that we support. */
const readSystemId = (cluster: string) =>
  readFileSync(join(cluster, 'global', 'pg_control'))
    .readBigUInt64LE(0)
    .toString()

/** Null if the instance has archived nothing, or its files are not readable. */
export const findInstanceArchivedUntil = (archiveDir: string, dataDir: string) => {
  try {
    return findArchivedUntil(archiveOf(archiveDir, join(findHome(dataDir), 'cluster')))
  } catch {
    return null
  }
}

/** Creates the folders for the user that runs Postgres, who writes the segments. Two services must not write to one archive. */
export const claimArchive = (
  archiveDir: string,
  { cluster, account }: { cluster: string; account: Account | null },
) => {
  try {
    mkdirSync(archiveDir, { recursive: true, mode: 0o700 })
    // That of another user is another service's.
    if (account && statSync(archiveDir).uid === 0) chownSync(archiveDir, account.uid, account.gid)
    if (!canAccess(account, '-w', archiveDir))
      throw new StartupError(
        `The user who runs Postgres cannot write to ARCHIVE_DIR (${archiveDir}). Change its owner, or set another ARCHIVE_DIR if it belongs to another instance.`,
      )
    const archive = archiveOf(archiveDir, cluster)
    for (const folder of [walFolder(archive), baseFolder(archive)]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const lock = lockInstance(archive, 'ARCHIVE_DIR')
    // The parent of several workers stays root, and what it wrote must be readable when one process runs as that user.
    if (account) spawnSync('chown', ['-hR', `${account.uid}:${account.gid}`, archive])
    return { archive, release: lock.release }
  } catch (error) {
    throw explainWriteError(`ARCHIVE_DIR (${archiveDir})`, error)
  }
}

/** Removes archives of former clusters that end before `since`. */
export const pruneFormerArchives = (archiveDir: string, { own, since }: { own: string; since: Date }) => {
  for (const archive of listArchives(archiveDir)) {
    const until = findArchivedUntil(archive)
    if ([archiveDir, own].includes(archive) || !until || until >= since || isInUse(archive)) continue
    rmSync(archive, { recursive: true, force: true })
  }
}

/** By a service that cannot archive at the moment. */
const isInUse = (archive: string) => {
  try {
    lockInstance(archive, 'ARCHIVE_DIR').release()
    return false
  } catch {
    return true
  }
}
