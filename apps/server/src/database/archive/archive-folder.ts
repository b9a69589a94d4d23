import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The archive of one cluster: `wal` has its write-ahead log in segments of 16 MB, the unfinished ones as `.partial`, and `base` has
 * copies of the cluster to start from. Together they restore any second since the oldest copy.
 */
export const walFolder = (archive: string) => join(archive, 'wal')
export const baseFolder = (archive: string) => join(archive, 'base')

export const SEGMENT_BYTES = 16 * 2 ** 20
const SEGMENTS_PER_LOG = 0x100
const SEGMENT = /^[\dA-F]{24}$/

/** Postgres runs it for each finished segment and keeps the segment until it succeeds. It never overwrites another one. */
export const archiveSettings = (archive: string) => {
  const file = `"${walFolder(archive)}/%f"`
  const copy = `cp "%p" ${file}.new && { sync ${file}.new 2>/dev/null || sync; } && mv ${file}.new ${file}`
  return {
    archive_mode: 'on',
    archive_command: `if test -f ${file}; then cmp -s "%p" ${file}; else ${copy}; fi && rm -f ${file}.partial`,
  }
}

export const listSegments = (archive: string) =>
  readdirSync(walFolder(archive))
    .filter((name) => SEGMENT.test(name))
    .toSorted()

/** With unfinished segments, which were copied as they grew. */
export const listLog = (archive: string) =>
  readdirSync(walFolder(archive)).filter((name) => SEGMENT.test(name.replace(/\.partial$/, '')))

/** Whether everything in it is archived. An unfinished one can grow. */
export const isWhole = (archive: string, name: string) =>
  !name.endsWith('.partial') || statSync(join(walFolder(archive), name)).size === SEGMENT_BYTES

/** The position of a segment, which goes on across timelines. */
export const numberOf = (segment: string) =>
  Number.parseInt(segment.slice(8, 16), 16) * SEGMENTS_PER_LOG + Number.parseInt(segment.slice(16, 24), 16)

export const segmentAt = (timeline: string, number: number) => {
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return `${timeline}${hex(Math.floor(number / SEGMENTS_PER_LOG))}${hex(number % SEGMENTS_PER_LOG)}`
}

export const timelineOf = (segment: string) => segment.slice(0, 8)

/** A copy of the cluster, usable from `finishedAt` on. */
export type Base = { folder: string; finishedAt: Date; firstSegment: string; postgres: string; systemId: string }

const BASE_FILE = 'base.json'

/** A copy without this file is unfinished. */
export const recordBase = ({ folder, ...base }: Base) =>
  writeFileSync(join(folder, BASE_FILE), `${JSON.stringify(base)}\n`, { mode: 0o600 })

/** Oldest first. */
export const listBases = (archive: string): Base[] =>
  readdirSync(baseFolder(archive))
    .map((name) => join(baseFolder(archive), name))
    .filter((folder) => existsSync(join(folder, BASE_FILE)))
    .map((folder) => {
      const base = JSON.parse(readFileSync(join(folder, BASE_FILE), 'utf8'))
      return { ...base, folder, finishedAt: new Date(base.finishedAt) }
    })
    .toSorted((one, other) => one.finishedAt.getTime() - other.finishedAt.getTime())

const stateFile = (archive: string) => join(archive, 'archived-until.json')

/** Everything committed by the end of the millisecond `at` is in the archive. */
export const recordArchived = (archive: string, at: Date) => {
  const draft = `${stateFile(archive)}.new`
  writeFileSync(draft, `${JSON.stringify({ at })}\n`)
  renameSync(draft, stateFile(archive))
}

/** Null if nothing has been archived, or the archive is not readable. */
export const findArchivedUntil = (archive: string) => {
  try {
    return new Date(JSON.parse(readFileSync(stateFile(archive), 'utf8')).at)
  } catch {
    return null
  }
}

/**
 * Removes copies that are not needed to restore any second since `since`, and the log that none of the others needs. After a restore
 * to an earlier time, a later copy can need earlier log.
 */
export const pruneArchive = (archive: string, since: Date) => {
  const bases = listBases(archive)
  const needed = Math.max(
    bases.findLastIndex(({ finishedAt }) => finishedAt <= since),
    0,
  )
  for (const { folder } of bases.slice(0, needed)) rmSync(folder, { recursive: true, force: true })
  const first = Math.min(...bases.slice(needed).map(({ firstSegment }) => numberOf(firstSegment)))
  if (bases.length === 0) return
  for (const name of listLog(archive))
    if (numberOf(name) < first) rmSync(join(walFolder(archive), name), { force: true })
}
