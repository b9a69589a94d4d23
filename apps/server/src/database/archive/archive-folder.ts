import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { explainWriteError, StartupError } from '../../config/startup-error.ts'
import { type Account, canAccess } from '../embedded/account.ts'

/**
 * ARCHIVE_DIR/wal has the write-ahead log in segments of 16 MB, the unfinished ones as `.partial`, and ARCHIVE_DIR/base has copies of
 * the cluster to start from. Together they restore any second since the oldest copy.
 */
export const walFolder = (archiveDir: string) => join(archiveDir, 'wal')
export const baseFolder = (archiveDir: string) => join(archiveDir, 'base')

export const SEGMENT_BYTES = 16 * 2 ** 20
const SEGMENTS_PER_LOG = 0x100
const SEGMENT = /^[\dA-F]{24}$/

/** Creates the folders for the user that runs Postgres, who writes the segments. */
export const claimArchive = (archiveDir: string, account: Account | null) => {
  try {
    for (const folder of [archiveDir, walFolder(archiveDir), baseFolder(archiveDir)]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (account) chownSync(folder, account.uid, account.gid)
    }
    // The parent of several workers stays root, and what it wrote must be readable when one process runs as that user.
    if (account) spawnSync('chown', ['-hR', `${account.uid}:${account.gid}`, archiveDir])
  } catch (error) {
    throw explainWriteError(`ARCHIVE_DIR (${archiveDir})`, error)
  }
  if (!canAccess(account, '-w', walFolder(archiveDir)))
    throw new StartupError(`The user who runs Postgres cannot write to ARCHIVE_DIR (${archiveDir}). Change its owner.`)
}

/** Postgres runs it for each finished segment and keeps the segment until it succeeds. It never overwrites another one. */
export const archiveSettings = (archiveDir: string) => {
  const file = `"${walFolder(archiveDir)}/%f"`
  const copy = `cp "%p" ${file}.new && { sync ${file}.new 2>/dev/null || sync; } && mv ${file}.new ${file}`
  return {
    archive_mode: 'on',
    archive_command: `if test -f ${file}; then cmp -s "%p" ${file}; else ${copy}; fi && rm -f ${file}.partial`,
  }
}

export const listSegments = (archiveDir: string) =>
  readdirSync(walFolder(archiveDir))
    .filter((name) => SEGMENT.test(name))
    .toSorted()

/** With unfinished segments, which were copied as they grew. */
export const listLog = (archiveDir: string) =>
  readdirSync(walFolder(archiveDir)).filter((name) => SEGMENT.test(name.replace(/\.partial$/, '')))

/** Whether everything in it is archived. An unfinished one can grow. */
export const isWhole = (archiveDir: string, name: string) =>
  !name.endsWith('.partial') || statSync(join(walFolder(archiveDir), name)).size === SEGMENT_BYTES

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
export const listBases = (archiveDir: string): Base[] =>
  readdirSync(baseFolder(archiveDir))
    .map((name) => join(baseFolder(archiveDir), name))
    .filter((folder) => existsSync(join(folder, BASE_FILE)))
    .map((folder) => {
      const base = JSON.parse(readFileSync(join(folder, BASE_FILE), 'utf8'))
      return { ...base, folder, finishedAt: new Date(base.finishedAt) }
    })
    .toSorted((one, other) => one.finishedAt.getTime() - other.finishedAt.getTime())

const stateFile = (archiveDir: string) => join(archiveDir, 'archived-until.json')

/** Everything committed by `at` is in the archive. */
export const recordArchived = (archiveDir: string, at: Date) => {
  const draft = `${stateFile(archiveDir)}.new`
  writeFileSync(draft, `${JSON.stringify({ at })}\n`)
  renameSync(draft, stateFile(archiveDir))
}

/** Null if nothing has been archived, or the archive is not readable. */
export const findArchivedUntil = (archiveDir: string) => {
  try {
    return new Date(JSON.parse(readFileSync(stateFile(archiveDir), 'utf8')).at)
  } catch {
    return null
  }
}

/**
 * Removes copies that are not needed to restore any second since `since`, and the log that none of the others needs. After a restore
 * to an earlier time, a later copy can need earlier log.
 */
export const pruneArchive = (archiveDir: string, since: Date) => {
  const bases = listBases(archiveDir)
  const needed = Math.max(
    bases.findLastIndex(({ finishedAt }) => finishedAt <= since),
    0,
  )
  for (const { folder } of bases.slice(0, needed)) rmSync(folder, { recursive: true, force: true })
  const first = Math.min(...bases.slice(needed).map(({ firstSegment }) => numberOf(firstSegment)))
  if (bases.length === 0) return
  for (const name of listLog(archiveDir))
    if (numberOf(name) < first) rmSync(join(walFolder(archiveDir), name), { force: true })
}
