import { statSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'
import { type Base, isWhole, listBases, listLog, numberOf, segmentAt, timelineOf, walFolder } from './archive-folder.ts'

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
