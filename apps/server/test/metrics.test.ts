import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordBackup } from '../src/database/backup/last-backup.ts'
import { startTestService } from './support/service.ts'

const DEPLOY = join(import.meta.dir, '../../../deploy')
const ALERTS = join(DEPLOY, 'prometheus/alerts.yml')

const dataDir = mkdtempSync(join(tmpdir(), 'tributary-metrics-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
const service = await startTestService({
  dataDir,
  backup: { key: null, s3: null, archiveDir: dataDir, archiveDays: 7 },
})
const readText = async () => (await fetch(`${service.url}/metrics`)).text()

const scrape = async () => {
  const text = await readText()
  const values = text.split('\n').map((line) => /^tributary_(\w+)(?:\{.*\})? (\S+)$/.exec(line) ?? [])
  return Object.fromEntries(values.map(([, name, value]) => [name, Number(value)]))
}

test('/metrics tells whether the database is up, its size, free space, backlogs and the last backup', async () => {
  expect((await scrape()).last_backup_timestamp_seconds).toBe(0)
  recordBackup(dataDir, { at: new Date(1_700_000_000_000), to: 'somewhere' })
  const values = await scrape()
  expect(values).toMatchObject({
    database_up: 1,
    processor_unassigned_events: expect.any(Number),
    events_unsequenced: expect.any(Number),
    webhook_deliveries_pending: expect.any(Number),
    webhook_delay_seconds: 0,
    ledger_seal_delay_seconds: expect.any(Number),
    roll_up_delay_seconds: expect.any(Number),
    last_backup_timestamp_seconds: 1_700_000_000,
  })
  expect(values.database_bytes).toBeGreaterThan(1e6)
  expect(values.disk_free_bytes).toBeGreaterThan(0)
  expect(values.disk_bytes).toBeGreaterThan(values.disk_free_bytes ?? 0)
})

test('the alert rules and the Grafana dashboard use only metrics that exist', async () => {
  const text = await readText()
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  for (const file of [ALERTS, join(DEPLOY, 'grafana/tributary.json')]) {
    const used = [...readFileSync(file, 'utf8').matchAll(/\btributary_\w+/g)].map(([name]) => name)
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((name) => !known.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([])
  }
  expect(JSON.parse(readFileSync(join(DEPLOY, 'grafana/tributary.json'), 'utf8'))).toMatchObject({ title: 'Tributary' })
})

const promtool = Bun.which(process.env.PROMTOOL ?? 'promtool')

test.skipIf(!promtool)('Prometheus accepts the alert rules (skipped without promtool)', () => {
  const { status, stdout } = spawnSync(promtool ?? '', ['check', 'rules', ALERTS], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringContaining('SUCCESS')])
})
