import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'
import { type Account, canReadAll } from '../embedded/account.ts'
import { type DataFolder, findDataFolder } from '../embedded/data-folder.ts'
import { startEmbeddedPostgres } from '../embedded.ts'
import {
  type Base,
  isWhole,
  listBases,
  listLog,
  listSegments,
  numberOf,
  SEGMENT_BYTES,
  segmentAt,
  timelineOf,
  walFolder,
} from './archive-folder.ts'

type Options = { dataDir: string; archive: string; base: Base; to: Date | null; password: string; force: boolean }

/** Starts Postgres on the copy, replays the log up to the time, and resolves once it accepts connections. */
export const startFromArchive = async ({ dataDir, archive, base, to, password, force }: Options) => {
  const folder = findDataFolder(dataDir, () => {})
  const cluster = join(folder.home, 'cluster')
  const replaced = `${cluster}.replaced`
  if (existsSync(cluster) && !force)
    throw new StartupError(
      'This instance already has data. Restore into another DATA_DIR, or add --force to replace everything in it.',
    )
  if (!to) refuseGap(archive, base, to)
  const copied = join(folder.home, 'restore-wal')
  rmSync(replaced, { recursive: true, force: true })
  if (existsSync(cluster)) renameSync(cluster, replaced)
  try {
    cpSync(join(base.folder, 'cluster'), cluster, { recursive: true, mode: 0 })
    writeFileSync(join(cluster, 'recovery.signal'), '')
    copyLog(archive, base, { account: folder.account, to: copied })
    giveTo(folder, [cluster, copied])
    const server = await replay({ dataDir, password, archive, base, copied, to })
    const finish = () => {
      for (const path of [replaced, copied]) rmSync(path, { recursive: true, force: true })
    }
    return { ...server, finish }
  } catch (error) {
    rmSync(copied, { recursive: true, force: true })
    rmSync(cluster, { recursive: true, force: true })
    if (existsSync(replaced)) renameSync(replaced, cluster)
    throw error
  }
}

/**
 * What Postgres cannot take from the archive itself. It accepts only segments of full length; zeros are the end of the log. And if
 * root restores, its user may not be allowed to read the archive, which is the service's.
 */
const copyLog = (archive: string, { firstSegment }: Base, { account, to }: { account: Account | null; to: string }) => {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { mode: 0o700 })
  const wal = walFolder(archive)
  const names = readdirSync(wal)
  for (const name of names.filter((each) => each.endsWith('.partial'))) {
    const file = join(to, basename(name, '.partial'))
    cpSync(join(wal, name), file)
    truncateSync(file, SEGMENT_BYTES)
  }
  if (canReadAll(account, wal)) return
  const segments = listSegments(archive).filter((name) => numberOf(name) >= numberOf(firstSegment))
  const histories = names.filter((name) => name.endsWith('.history'))
  for (const name of [...segments, ...histories]) cpSync(join(wal, name), join(to, name))
}

const giveTo = ({ account }: DataFolder, paths: string[]) => {
  if (account) spawnSync('chown', ['-hR', `${account.uid}:${account.gid}`, ...paths])
}

/** What Postgres says if the log ends before the time, or already before the end of the copy. */
const BEFORE_TARGET = 'recovery ended before'
const LOG_ENDED = new RegExp(`${BEFORE_TARGET}|checkpoint record|WAL ends before`)

type Replay = Pick<Options, 'dataDir' | 'password' | 'archive' | 'base' | 'to'> & { copied: string }

const replay = async ({ dataDir, password, archive, base, copied, to }: Replay) => {
  const restore = {
    restore_command: `cp "${walFolder(archive)}/%f" "%p" 2>/dev/null || cp "${copied}/%f" "%p" 2>/dev/null`,
    // Not before everything is replayed.
    hot_standby: 'off',
  }
  const start = (target: Record<string, string>) =>
    startEmbeddedPostgres({ dataDir, password, settings: { ...restore, ...target } })
  if (!to) return start({})
  // A restore to an earlier time begins a new timeline with a new copy. Earlier times are on this copy's timeline.
  const timeline = { recovery_target_timeline: 'current' }
  try {
    // Commit times have microseconds: a sale committed and acknowledged within the millisecond belongs to it. Postgres does not know
    // the abbreviation Z yet when it reads its settings.
    const time = to.toISOString().replace('Z', '999+00')
    return await start({ ...timeline, recovery_target_time: time, recovery_target_action: 'promote' })
  } catch (error) {
    if (!(error instanceof StartupError) || !LOG_ENDED.test(error.message)) throw error
    refuseGap(archive, base, to)
    if (!error.message.includes(BEFORE_TARGET)) throw error
    // Nothing was committed after that time, so all of the log belongs to it.
    return start(timeline)
  }
}

/** What is replayed after the copy: up to a time only its own timeline, otherwise also those that later restores began. */
const followingLog = (archive: string, { firstSegment }: Base, to: Date | null) => {
  const own = timelineOf(firstSegment)
  return listLog(archive).filter((name) => {
    const timeline = timelineOf(name)
    return (timeline === own || (!to && timeline > own)) && numberOf(name) >= numberOf(firstSegment)
  })
}

const modifiedAt = (archive: string, name: string) => statSync(join(walFolder(archive), name)).mtime.toISOString()

/**
 * While ARCHIVE_DIR was not set, or its disk was lost, segments are missing. Postgres would replay the log up to there, and the rest
 * would be missing silently.
 */
export const refuseGap = (archive: string, base: Base, to: Date | null) => {
  const log = followingLog(archive, base, to)
  const last = Math.max(...log.map(numberOf))
  const whole = new Map(log.filter((name) => isWhole(archive, name)).map((name) => [numberOf(name), name]))
  const first = numberOf(base.firstSegment)
  // The last one may be unfinished.
  const missing = Array.from({ length: Math.max(last - first, 0) }, (_, index) => first + index).find(
    (number) => !whole.has(number),
  )
  if (missing === undefined) return
  const before = whole.get(missing - 1)
  const until = before ? modifiedAt(archive, before) : base.finishedAt.toISOString()
  const next = listBases(archive).find(
    ({ firstSegment, finishedAt }) => finishedAt > base.finishedAt && numberOf(firstSegment) > missing,
  )
  const later = next ? `, or one from ${next.finishedAt.toISOString()} on, when the next copy was finished` : ''
  throw new StartupError(
    `The archive has a gap after ${until}: segment ${segmentAt(timelineOf(base.firstSegment), missing)} of the log is missing or incomplete. Choose an earlier time with --to${later}.`,
  )
}
