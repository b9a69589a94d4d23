import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'
import { type Base, baseFolder, findArchivedUntil, listBases, walFolder } from './archive-folder.ts'

const isArchive = (folder: string) => existsSync(baseFolder(folder)) && existsSync(walFolder(folder))

/** The archives of all clusters in ARCHIVE_DIR, and the folder itself if it is one. */
export const listArchives = (folder: string) => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(isArchive)
}

type Span = { archive: string; from: Date; until: Date }

/** From when to when an archive can be restored. */
const findSpan = (archive: string): Span[] => {
  const [oldest] = listBases(archive)
  return oldest ? [{ archive, from: oldest.finishedAt, until: findArchivedUntil(archive) ?? oldest.finishedAt }] : []
}

/**
 * The archive that covers the time. Without a time there must be only one: the latest can be that of an empty service that was started on
 * a new machine before the restore.
 */
const chooseArchive = (folder: string, to: Date | null) => {
  const spans = listArchives(folder)
    .flatMap(findSpan)
    .toSorted((one, other) => one.until.getTime() - other.until.getTime())
  const [first] = spans
  if (!first) throw new StartupError(`${folder} has no copy of the database yet.`)
  const candidates = spans.filter(({ from, until }) => !to || (from <= to && to <= until))
  if (candidates.length > 1) {
    const list = candidates.map(
      ({ archive, from, until }) => `${archive} (${from.toISOString()} to ${until.toISOString()})`,
    )
    const found = to ? 'Several databases were archived at that time.' : `${folder} has archives of several databases.`
    throw new StartupError(`${found} Restore the folder of one of them: ${list.join(', ')}.`)
  }
  const before = spans.findLast(({ from }) => to && from <= to)
  return (candidates[0] ?? before ?? first).archive
}

/** The last copy of the cluster before the time, from which the log of its archive leads there. */
export const chooseBase = (folder: string, to: Date | null): { archive: string; base: Base } => {
  const archive = chooseArchive(folder, to)
  const bases = listBases(archive)
  const until = findArchivedUntil(archive)
  if (to && until && to > until)
    throw new StartupError(
      `The archive ends at ${until.toISOString()}. Choose an earlier time, or restore all of ${archive} without --to.`,
    )
  const base = to ? bases.findLast(({ finishedAt }) => finishedAt <= to) : bases.at(-1)
  if (!base) throw new StartupError(`The archive begins at ${bases[0]?.finishedAt.toISOString()}. Choose a later time.`)
  return { archive, base }
}
