import { afterEach, expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { baseFolder, findArchivedUntil, listBases, walFolder } from '../../src/database/archive/archive-folder.ts'
import { listArchives } from '../../src/database/archive/choose-archive.ts'
import { findRunningUrls } from '../../src/database/embedded/running.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { queryOn } from './given-postgres.ts'
import {
  cleanUp,
  givenDataDir,
  givenService,
  killIfAlive,
  launchService,
  ROOT,
  type Service,
  until,
} from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { processesWith } from './processes.ts'
import { runProcess } from './run-command.ts'

afterEach(cleanUp)

const archiveIn = (archiveDir: string) => listArchives(archiveDir)[0] ?? ''
const basesIn = (archiveDir: string) => listArchives(archiveDir).flatMap(listBases)

const query = (dataDir: string, text: string) =>
  queryOn(findRunningUrls({ dataDir, password: loadSecrets(dataDir).databasePassword })?.url ?? '', text)

/** Sells with the program's key, one after the other, and remembers when each was sent and acknowledged. */
const givenSales = (service: Service, key: string) => {
  const sent: { invoice: string; at: number }[] = []
  const acknowledged: typeof sent = []
  const refused: string[] = []
  let isStopped = false
  const sell = async (invoice: string) => {
    sent.push({ invoice, at: Date.now() })
    const response = await fetch(`http://localhost:${service.port}/api/v1/track/sale`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ customer_key: 'buyer', amount: 1_000, currency: 'USD', invoice_id: invoice }),
    })
    if (response.ok) acknowledged.push({ invoice, at: Date.now() })
    // With 503 and without a response, the sale may or may not have been stored.
    else if (response.status !== 503) refused.push(`${response.status} ${await response.text()}`)
  }
  const running = (async () => {
    for (let number = 0; !isStopped; number++) await sell(`in_${number}`).catch(() => {})
  })()
  const stop = () => {
    isStopped = true
    return running
  }
  return { sent, acknowledged, refused, stop }
}

const restoredSales = async (dataDir: string) => {
  const rows = await query(dataDir, `SELECT invoice_id FROM sales WHERE invoice_id LIKE 'in_%'`)
  return new Set(rows.map((row) => row.invoice_id))
}

test('after kill -9 of everything, the archive restores any second, with all that was acknowledged by then', async () => {
  const DATA_DIR = await givenPreparedDataDir('demo')
  const ARCHIVE_DIR = givenDataDir()
  const env = { DATA_DIR, ARCHIVE_DIR, DEMO: 'true', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
  const service = await givenService({ env })
  await until(() => basesIn(ARCHIVE_DIR).length === 1)
  const [program] = await query(DATA_DIR, 'SELECT min(id) AS id FROM programs')
  const createKey = [
    join(ROOT, 'apps/server/src/commands/cli.ts'),
    'admin',
    'create-key',
    '--program',
    String(program?.id),
  ]
  const created = await launchService({ env: { DATA_DIR }, command: [process.execPath, ...createKey] }).ended()
  const [key = ''] = created.stdout.split('\n')
  const sales = givenSales(service, key)
  await until(() => sales.acknowledged.length > 30)
  // More than one segment of the log, so that finished and unfinished ones are used.
  await query(DATA_DIR, `CREATE TABLE ballast AS SELECT repeat(md5(n::text), 20) FROM generate_series(1, 60000) n`)
  await until(() => sales.acknowledged.length > 60)
  // The very millisecond in which a sale was acknowledged.
  const chosen = new Date(sales.acknowledged.at(-1)?.at ?? 0)
  await until(() => sales.acknowledged.length > 90)
  const last = sales.acknowledged.length
  const lastAt = sales.acknowledged[last - 1]?.at ?? 0
  await until(() => (findArchivedUntil(archiveIn(ARCHIVE_DIR))?.getTime() ?? 0) > lastAt)
  for (const { pid } of processesWith(DATA_DIR)) killIfAlive(pid)
  service.kill('SIGKILL')
  await service.ended()
  await sales.stop()
  expect(sales.refused).toEqual([])
  await until(() => processesWith(DATA_DIR).length === 0)
  rmSync(DATA_DIR, { recursive: true })

  const elsewhere = givenDataDir()
  const restored = await runProcess('restore', { DATA_DIR: elsewhere }, ARCHIVE_DIR, '--to', chosen.toISOString())
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  expect(restored.stdout).toMatch(/ledger lines and every counter: 0 differences\.$/m)
  const again = await givenService({ env: { DATA_DIR: elsewhere, DEMO: 'true' } })
  const found = await restoredSales(elsewhere)
  expect(sales.acknowledged.filter(({ invoice, at }) => at <= Number(chosen) && !found.has(invoice))).toEqual([])
  expect(sales.sent.filter(({ invoice, at }) => at > Number(chosen) && found.has(invoice))).toEqual([])
  again.kill('SIGTERM')
  await again.ended()

  const occupied = await runProcess('restore', { DATA_DIR: elsewhere }, ARCHIVE_DIR)
  expect([occupied.code, occupied.stderr]).toEqual([1, expect.stringMatching(/^This instance already has data/)])
  const whole = await runProcess('restore', { DATA_DIR: elsewhere }, ARCHIVE_DIR, '--force')
  expect([whole.code, whole.stderr]).toEqual([0, ''])
  // The restored instance goes on archiving to the same folder, on a new timeline.
  await givenService({ env: { DATA_DIR: elsewhere, ARCHIVE_DIR, DEMO: 'true' } })
  const all = await restoredSales(elsewhere)
  expect(sales.acknowledged.slice(0, last).filter(({ invoice }) => !all.has(invoice))).toEqual([])
  await until(() => basesIn(ARCHIVE_DIR).length === 2)

  const late = await runProcess('restore', { DATA_DIR: givenDataDir() }, ARCHIVE_DIR, '--to', '2099-01-01T00:00:00Z')
  expect(late.stderr).toMatch(/^The archive ends at /)
  const early = await runProcess('restore', { DATA_DIR: givenDataDir() }, ARCHIVE_DIR, '--to', '2020-01-01T00:00:00Z')
  expect(early.stderr).toMatch(/^The archive begins at /)
})

test('a stop during a copy, several workers and then one, and a time without the archive: a restore notices the gap', async () => {
  const DATA_DIR = await givenPreparedDataDir()
  const ARCHIVE_DIR = givenDataDir()
  const env = { DATA_DIR, LOG_LEVEL: 'warn' }
  const start = (more: Record<string, string>) => givenService({ env: { ...env, ...more } })
  const stop = async (service: Service) => {
    service.kill('SIGTERM')
    expect(await service.ended()).toMatchObject({ code: 0, complaints: '' })
  }
  /** Afterwards Postgres has removed the segments from before. */
  const fill = async (name: string) => {
    await query(DATA_DIR, `CREATE TABLE ${name} AS SELECT generate_series(1, 1000)`)
    for (const _ of [1, 2]) await query(DATA_DIR, 'SELECT pg_switch_wal()').then(() => query(DATA_DIR, 'CHECKPOINT'))
  }
  const copying = await start({ ARCHIVE_DIR, WORKERS: '2' })
  const copies = () => listArchives(ARCHIVE_DIR).flatMap((archive) => readdirSync(baseFolder(archive)))
  await until(() => copies().length > 0)
  await stop(copying)

  const several = await start({ ARCHIVE_DIR, WORKERS: '2' })
  await until(() => basesIn(ARCHIVE_DIR).length === 1)
  expect(copies()).toHaveLength(1)
  await fill('before')
  await stop(several)
  const withoutArchive = await start({})
  await fill('meanwhile')
  const inTheGap = new Date()
  await stop(withoutArchive)

  const one = await start({ ARCHIVE_DIR })
  await until(() => basesIn(ARCHIVE_DIR).length === 2)
  await fill('after')
  const since = Date.now()
  await until(() => (findArchivedUntil(archiveIn(ARCHIVE_DIR))?.getTime() ?? 0) > since)
  await stop(one)
  const restore = (...more: string[]) => runProcess('restore', { DATA_DIR: elsewhere }, ARCHIVE_DIR, ...more)
  const elsewhere = givenDataDir()
  const refused = await restore('--to', inTheGap.toISOString())
  const next = basesIn(ARCHIVE_DIR)[1]?.finishedAt.toISOString()
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`^The archive has a gap after .* or one from ${next} on`)),
  })
  // Not even the copy itself is consistent without its log.
  const [base] = basesIn(ARCHIVE_DIR)
  rmSync(join(walFolder(archiveIn(ARCHIVE_DIR)), base?.firstSegment ?? ''))
  const unusable = await restore('--to', new Date((base?.finishedAt.getTime() ?? 0) + 1).toISOString())
  expect(unusable.stderr).toMatch(/^The archive has a gap after /)
  expect(await restore()).toMatchObject({ code: 0, stderr: '' })
  await givenService({ env: { ...env, DATA_DIR: elsewhere } })
  for (const table of ['before', 'meanwhile', 'after'])
    expect(await query(elsewhere, `SELECT count(*)::integer FROM ${table}`)).toEqual([{ count: 1_000 }])
}, 600_000)
