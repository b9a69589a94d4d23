import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  baseFolder,
  listBases,
  pruneArchive,
  recordBase,
  SEGMENT_BYTES,
  segmentAt,
  walFolder,
} from '../../src/database/archive/archive-folder.ts'
import { createLogCopier } from '../../src/database/archive/copy-log.ts'
import { refuseGap } from '../../src/database/archive/restore-archive.ts'
import { cleanUp, givenDataDir } from './given-service.ts'

afterEach(cleanUp)

const [FIRST, SECOND] = ['00000001', '00000002']
const day = (number: number) => new Date(Date.UTC(2026, 10, number))

/** Copies of the cluster and segments of the log, without their content. */
const givenArchive = () => {
  const folder = givenDataDir()
  mkdirSync(walFolder(folder))
  const fileOf = (timeline: string, number: number) => join(walFolder(folder), segmentAt(timeline, number))
  return {
    folder,
    fileOf,
    addBase: (date: Date, timeline: string, number: number) => {
      const base = join(baseFolder(folder), date.toISOString())
      mkdirSync(base, { recursive: true })
      const rest = { finishedAt: date, firstSegment: segmentAt(timeline, number), postgres: '18', systemId: '1' }
      recordBase({ folder: base, ...rest })
    },
    addLog: (timeline: string, from: number, to: number) => {
      for (let number = from; number <= to; number++) writeFileSync(fileOf(timeline, number), '')
    },
    addPartial: (timeline: string, number: number, bytes: number) => {
      writeFileSync(`${fileOf(timeline, number)}.partial`, '')
      truncateSync(`${fileOf(timeline, number)}.partial`, bytes)
    },
    segments: () => readdirSync(walFolder(folder)).toSorted(),
  }
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('pruning keeps the copy before the oldest second, later ones, and all log that any of them needs', () => {
  const { folder, addBase, addLog, addPartial, segments } = givenArchive()
  addBase(day(1), FIRST, 5)
  addBase(day(2), FIRST, 20)
  addLog(FIRST, 5, 30)
  // Restored to a time after segment 12, which began a new timeline.
  addBase(day(3), SECOND, 12)
  addLog(SECOND, 12, 13)
  addPartial(SECOND, 14, 100)
  pruneArchive(folder, new Date(day(2).getTime() - 1))
  expect(listBases(folder)).toHaveLength(3)
  expect(segments()).toHaveLength(29)
  pruneArchive(folder, day(2))
  expect(listBases(folder).map(({ finishedAt }) => finishedAt)).toEqual([day(2), day(3)])
  const kept = [
    ...range(12, 30).map((number) => segmentAt(FIRST, number)),
    ...range(12, 13).map((n) => segmentAt(SECOND, n)),
  ]
  expect(segments()).toEqual([...kept, `${segmentAt(SECOND, 14)}.partial`])
  pruneArchive(folder, day(9))
  expect(listBases(folder)).toHaveLength(1)
})

test('a missing or cut segment is a gap, with the time before it and the next copy; the last one may be unfinished', () => {
  const { folder, fileOf, addBase, addLog, addPartial } = givenArchive()
  addBase(day(1), FIRST, 5)
  addLog(FIRST, 5, 6)
  addPartial(FIRST, 7, SEGMENT_BYTES)
  addPartial(FIRST, 8, 100)
  const [base] = listBases(folder)
  const check = (to: Date | null) => () => base && refuseGap(folder, base, to)
  check(null)()
  check(day(1))()

  // ARCHIVE_DIR was not set for a while.
  addLog(FIRST, 9, 10)
  addBase(day(2), FIRST, 9)
  const expected = `The archive has a gap after .*: segment ${segmentAt(FIRST, 8)} of the log is missing or incomplete. Choose an earlier time with --to, or one from ${day(2).toISOString()} on, when the next copy was finished.`
  expect(check(day(1))).toThrow(new RegExp(expected))
  writeFileSync(fileOf(FIRST, 8), '')
  check(day(1))()
  rmSync(fileOf(FIRST, 6))
  // The same number on another timeline is another segment.
  addLog(SECOND, 6, 6)
  expect(check(day(1))).toThrow(`segment ${segmentAt(FIRST, 6)} of the log is missing`)
  rmSync(fileOf(FIRST, 5))
  expect(check(day(1))).toThrow(`The archive has a gap after ${day(1).toISOString()}: segment ${segmentAt(FIRST, 5)}`)
})

const openFiles = () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return [] // the one that lists them
    }
  })

// Bun ends the process when it collects an open file.
test.skipIf(process.platform !== 'linux')('a segment that cannot be written is closed, and copied later', async () => {
  const { folder, fileOf } = givenArchive()
  const cluster = givenDataDir()
  const segment = segmentAt(FIRST, 2)
  mkdirSync(join(cluster, 'pg_wal'))
  writeFileSync(join(cluster, 'pg_wal', segment), 'log')
  // Not writable, even for root.
  mkdirSync(`${fileOf(FIRST, 2)}.partial`)
  const copier = createLogCopier({ cluster, archive: folder }, segment)
  await expect(copier.copyUpTo({ segment, bytes: 3 })).rejects.toThrow()
  expect(openFiles().filter((path) => path.endsWith(segment))).toEqual([])
  rmSync(`${fileOf(FIRST, 2)}.partial`, { recursive: true })
  await copier.copyUpTo({ segment, bytes: 3 })
  expect(readFileSync(`${fileOf(FIRST, 2)}.partial`, 'utf8')).toBe('log')
})
