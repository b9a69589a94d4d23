import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'
import { type DataFolder, findDataFolder } from '../embedded/data-folder.ts'
import { startEmbeddedPostgres } from '../embedded.ts'
import { type Base, baseFolder, findArchivedUntil, listBases, SEGMENT_BYTES, walFolder } from './archive-folder.ts'
import { refuseGap } from './refuse-gap.ts'

export const isArchive = (folder: string) => existsSync(baseFolder(folder)) && existsSync(walFolder(folder))

/** The last copy of the cluster before the time, from which the log leads there. */
export const chooseBase = (archiveDir: string, to: Date | null): Base => {
  const bases = listBases(archiveDir)
  const [oldest] = bases
  if (!oldest) throw new StartupError(`${archiveDir} has no copy of the database yet.`)
  const until = findArchivedUntil(archiveDir)
  if (to && until && to > until)
    throw new StartupError(
      `The archive ends at ${until.toISOString()}. Choose an earlier time, or leave out --to to restore all of it.`,
    )
  const base = to ? bases.findLast(({ finishedAt }) => finishedAt <= to) : bases.at(-1)
  if (!base) throw new StartupError(`The archive begins at ${oldest.finishedAt.toISOString()}. Choose a later time.`)
  return base
}

type Options = { dataDir: string; archiveDir: string; base: Base; to: Date | null; password: string; force: boolean }

/** Starts Postgres on the copy, replays the log up to the time, and resolves once it accepts connections. */
export const startFromArchive = async ({ dataDir, archiveDir, base, to, password, force }: Options) => {
  const folder = findDataFolder(dataDir, () => {})
  const cluster = join(folder.home, 'cluster')
  const replaced = `${cluster}.replaced`
  if (existsSync(cluster) && !force)
    throw new StartupError(
      'This instance already has data. Restore into another DATA_DIR, or add --force to replace everything in it.',
    )
  if (!to) refuseGap(archiveDir, base, to)
  const unfinished = join(folder.home, 'restore-wal')
  rmSync(replaced, { recursive: true, force: true })
  if (existsSync(cluster)) renameSync(cluster, replaced)
  try {
    cpSync(join(base.folder, 'cluster'), cluster, { recursive: true, mode: 0 })
    writeFileSync(join(cluster, 'recovery.signal'), '')
    fillUnfinished(archiveDir, unfinished)
    giveTo(folder, [cluster, unfinished])
    const server = await replay({ dataDir, password, archiveDir, base, unfinished, to })
    const finish = () => {
      for (const path of [replaced, unfinished]) rmSync(path, { recursive: true, force: true })
    }
    return { ...server, finish }
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    rmSync(cluster, { recursive: true, force: true })
    if (existsSync(replaced)) renameSync(replaced, cluster)
    throw error
  }
}

/** Postgres accepts only segments of full length; zeros are the end of the log. */
const fillUnfinished = (archiveDir: string, to: string) => {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { mode: 0o700 })
  for (const name of readdirSync(walFolder(archiveDir)).filter((each) => each.endsWith('.partial'))) {
    const file = join(to, name.replace(/\.partial$/, ''))
    cpSync(join(walFolder(archiveDir), name), file)
    truncateSync(file, SEGMENT_BYTES)
  }
}

const giveTo = ({ account }: DataFolder, paths: string[]) => {
  if (account) spawnSync('chown', ['-hR', `${account.uid}:${account.gid}`, ...paths])
}

/** What Postgres says if the log ends before the time, or already before the end of the copy. */
const BEFORE_TARGET = 'recovery ended before'
const LOG_ENDED = new RegExp(`${BEFORE_TARGET}|checkpoint record|WAL ends before`)

type Replay = Pick<Options, 'dataDir' | 'password' | 'archiveDir' | 'base' | 'to'> & { unfinished: string }

const replay = async ({ dataDir, password, archiveDir, base, unfinished, to }: Replay) => {
  const restore = {
    restore_command: `cp "${walFolder(archiveDir)}/%f" "%p" 2>/dev/null || cp "${unfinished}/%f" "%p" 2>/dev/null`,
    // Not before everything is replayed.
    hot_standby: 'off',
  }
  const start = (target: Record<string, string>) =>
    startEmbeddedPostgres({ dataDir, password, settings: { ...restore, ...target } })
  if (!to) return start({})
  // Restores to an earlier time begin a new timeline, with a copy of its own. What came before it is on the timeline of this one.
  const timeline = { recovery_target_timeline: 'current' }
  try {
    // Postgres does not know the abbreviation Z yet when it reads its settings.
    const time = to.toISOString().replace('Z', '+00')
    return await start({ ...timeline, recovery_target_time: time, recovery_target_action: 'promote' })
  } catch (error) {
    if (!(error instanceof StartupError) || !LOG_ENDED.test(error.message)) throw error
    refuseGap(archiveDir, base, to)
    if (!error.message.includes(BEFORE_TARGET)) throw error
    // Nothing was committed after that time, so all of the log belongs to it.
    return start(timeline)
  }
}
