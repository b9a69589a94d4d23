import { afterEach, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findArchiveFailure } from '../../src/database/archive/archive-failure.ts'
import {
  baseFolder,
  findArchivedUntil,
  listBases,
  recordArchived,
  recordBase,
  segmentAt,
  walFolder,
} from '../../src/database/archive/archive-folder.ts'
import { chooseBase, listArchives } from '../../src/database/archive/choose-archive.ts'
import { findInstanceArchivedUntil, pruneFormerArchives } from '../../src/database/archive/own-archive.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { lockInstance } from '../../src/startup/instance-lock.ts'
import { isLongRun } from '../support/size.ts'
import { startArchived } from './given-archive.ts'
import { cleanUp, givenDataDir, until } from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { runCommand } from './run-command.ts'

afterEach(cleanUp)

const day = (number: number) => new Date(Date.UTC(2026, 10, number))

/** The archive of a cluster from one day to another. */
const addArchive = (archiveDir: string, systemId: string, [from, to]: [number, number]) => {
  const archive = join(archiveDir, systemId)
  const folder = join(baseFolder(archive), 'copy')
  for (const path of [folder, walFolder(archive)]) mkdirSync(path, { recursive: true })
  recordBase({ folder, finishedAt: day(from), firstSegment: segmentAt('00000001', 1), postgres: '18', systemId })
  recordArchived(archive, day(to))
  return archive
}

test('of several databases, the one archived at the time is restored; otherwise one must be named', () => {
  const archiveDir = givenDataDir()
  const [former, current] = [addArchive(archiveDir, '11', [1, 3]), addArchive(archiveDir, '12', [4, 8])]
  const chosen = (to: Date | null, folder = archiveDir) => chooseBase(folder, to).archive
  expect([chosen(day(2)), chosen(day(5))]).toEqual([former, current])
  expect([chosen(null, former), chosen(null, current)]).toEqual([former, current])
  // The latest can be that of an empty service.
  expect(() => chosen(null)).toThrow(/ has archives of several databases. .* of one of them: .*11 .*12 /)
  expect(() => chosen(new Date(day(4).getTime() - 1))).toThrow(`The archive ends at ${day(3).toISOString()}`)
  expect(() => chosen(new Date(day(1).getTime() - 1))).toThrow(`The archive begins at ${day(1).toISOString()}`)
  // A trial with the settings of the service.
  const trial = addArchive(archiveDir, '13', [5, 6])
  expect(() => chosen(day(6))).toThrow(/^Several databases .* of one of them: .*13 .*12 /)
  expect(chosen(day(7))).toBe(current)

  const lock = lockInstance(trial)
  pruneFormerArchives(archiveDir, { own: current, since: day(3) })
  expect(listArchives(archiveDir)).toHaveLength(3)
  pruneFormerArchives(archiveDir, { own: current, since: day(20) })
  expect(listArchives(archiveDir).toSorted()).toEqual([current, trial])
  lock.release()
})

test.skipIf(!isLongRun)(
  'each cluster has its own archive, with one writer; what Postgres cannot archive is noticed',
  async () => {
    const [dataDir, archiveDir] = [await givenPreparedDataDir(), givenDataDir()]
    const first = await startArchived(dataDir, archiveDir)
    // A copy of the data folder is the same cluster.
    const copy = await givenPreparedDataDir()
    const password = loadSecrets(copy).databasePassword
    await expect(startEmbeddedPostgres({ dataDir: copy, password, archiveDir })).rejects.toThrow(
      `Another Tributary is already running on ${first.archive}. Stop it or set a different ARCHIVE_DIR.`,
    )

    const findFailure = () => findArchiveFailure(async (text) => ({ rows: (await first.query(text)) as never[] }))
    const [{ name } = { name: '' }] = await first.query('SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS name')
    const foreign = join(walFolder(first.archive), String(name))
    writeFileSync(foreign, 'of another cluster')
    const switchLog = () => first.query(`SELECT pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()`)
    await switchLog()
    await until(async () => (await findFailure()) !== null)
    await until(() => first.warnings.some((warning) => warning.startsWith(`Postgres could not archive ${name} at `)))
    rmSync(foreign)
    await switchLog()
    await until(async () => (await findFailure()) === null)
    await first.stop()

    // As after a restore of a backup: a new cluster, on the first timeline again.
    const other = givenDataDir()
    const second = await startArchived(other, archiveDir)
    expect(listArchives(archiveDir).toSorted()).toEqual([first.archive, second.archive].toSorted())
    expect(findInstanceArchivedUntil(archiveDir, other)).toEqual(findArchivedUntil(second.archive))
    await second.stop()
    expect(listArchives(archiveDir).map((archive) => listBases(archive).length)).toEqual([1, 1])

    // Root's Postgres cannot read the archive of the service's user.
    if (process.getuid?.() === 0) spawnSync('chown', ['-R', '12345:12345', archiveDir])
    const DATA_DIR = givenDataDir()
    const restored = await runCommand('restore', { DATA_DIR }, first.archive)
    expect([restored.code, restored.stderr]).toEqual([0, ''])
  },
)
