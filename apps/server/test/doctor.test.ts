import { afterEach, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../src/commands/doctor/doctor.ts'
import { recordBackup } from '../src/database/backup/last-backup.ts'
import { connectionsPerNode } from '../src/database/pools.ts'
import { loadSecrets } from '../src/secrets.ts'
import { givenDatabase, queryOn } from './lifecycle/given-postgres.ts'
import { cleanUp, freePort, givenDataDir, ROOT } from './lifecycle/given-service.ts'
import { givenService } from './support/shared-service.ts'

afterEach(cleanUp)
const service = await givenService()

type Finding = { check: string; level: string; message: string }

const runDoctor = async (env: Record<string, string>) => {
  let output = ''
  const print = (line: unknown) => {
    output += `${line}\n`
  }
  const code = await command({ args: ['--json'], env, print, printError: print })
  const { healthy, findings }: { healthy: boolean; findings: Finding[] } = JSON.parse(output)
  const find = (name: string) =>
    findings.filter(({ check }) => check === name).map(({ level, message }) => `${level}: ${message}`)
  return { code, healthy, findings, find }
}

const givenInstance = () => {
  const DATA_DIR = givenDataDir()
  loadSecrets(DATA_DIR)
  const PORT = new URL(service.url).port
  return { DATA_DIR, PORT, HOST: '127.0.0.1', DATABASE_URL: service.databaseUrl, BASE_URL: service.url }
}

test('an instance that works has nothing to fix, and says what to consider', async () => {
  const env = givenInstance()
  recordBackup(env.DATA_DIR, { at: new Date(Date.now() - 3 * 3_600_000), to: '/mnt/one' })
  const { code, healthy, findings, find } = await runDoctor(env)
  expect(findings.filter(({ level }) => level === 'fail')).toEqual([])
  expect([code, healthy]).toEqual([0, true])
  expect(find('backup')).toEqual(['ok: The last backup is 3 hours old (/mnt/one).'])
  expect(find('service')).toEqual([expect.stringMatching(/^ok: Version .* is running/)])
  expect(find('address')).toEqual([expect.stringMatching(/^warn: BASE_URL is .*only on this machine/)])
  expect(find('schema')).toEqual(['ok: All migrations have run.'])
  expect(find('rights')).toEqual([expect.stringMatching(/^warn: .* can change the ledger/)])
})

test('what must be fixed is named, and the exit code says so', async () => {
  const url = await givenDatabase()
  await queryOn(url, `DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)`)
  const env = { ...givenInstance(), DATABASE_URL: url, PORT: String(freePort()) }
  chmodSync(join(env.DATA_DIR, 'secrets.json'), 0o644)
  const mail = { SMTP_URL: `smtp://127.0.0.1:${freePort()}`, HOST: '127.0.0.1' }
  const { code, healthy, find } = await runDoctor({ ...env, ...mail })
  expect([code, healthy]).toEqual([1, false])
  expect(find('secrets')).toEqual([expect.stringMatching(/^fail: .* is readable by others \(mode 644\)\. Run: chmod/)])
  expect(find('schema')).toEqual([expect.stringMatching(/^fail: 1 migration did not run/)])
  expect(find('mail')).toEqual([expect.stringMatching(/^fail: The mail server in SMTP_URL does not accept us/)])
  expect(find('service')).toEqual([expect.stringMatching(/^warn: No service answers/)])
  expect(find('backup')).toEqual([
    'warn: This node has made no backup yet. Run tributary backup every night; with several nodes, on one of them.',
  ])
  expect(find('proxy')).toEqual([expect.stringMatching(/^warn: TRUSTED_PROXIES is not set/)])
})

test('an invalid setting, a missing instance and an unreachable database are findings', async () => {
  expect((await runDoctor({ PORT: 'x' })).find('settings')).toEqual([expect.stringMatching(/^fail: PORT must be/)])
  const PORT = String(freePort())
  const missing = await runDoctor({ DATA_DIR: givenDataDir(), PORT })
  expect(missing.find('database')).toEqual([expect.stringMatching(/^fail: .* has no Tributary instance/)])
  const nowhere = await runDoctor({
    ...givenInstance(),
    PORT,
    DATABASE_URL: `postgres://u:pw@127.0.0.1:${freePort()}/x`,
  })
  expect(nowhere.find('database')).toEqual([expect.stringMatching(/^fail: /)])
  expect(nowhere.find('database').join()).not.toContain('pw')
})

test('looks at the user of the service, not its own, and at where the archive is', async () => {
  const DATA_DIR = givenDataDir()
  const ARCHIVE_DIR = givenDataDir()
  const PORT = String(freePort())
  const first = await runDoctor({ DATA_DIR, PORT })
  expect(first.find('archive')).toEqual([expect.stringMatching(/^warn: ARCHIVE_DIR is not set/)])
  expect(first.find('backup')).toEqual(['warn: This node has made no backup yet. Run tributary backup every night.'])
  if (process.getuid?.() === 0) {
    expect(first.find('user')).toEqual([expect.stringMatching(/^warn: The service runs as root/)])
    chownSync(DATA_DIR, 65_534, 65_534)
  }
  mkdirSync(join(DATA_DIR, 'postgres'))
  const second = await runDoctor({ DATA_DIR, ARCHIVE_DIR, PORT })
  expect(second.find('user')).toEqual(['ok: The service does not run as root.'])
  expect(second.find('archive')).toContainEqual(expect.stringMatching(/^warn: .* is on the disk of the database/))
})

test('the guide names as many connections as a node opens', async () => {
  const guide = await Bun.file(join(ROOT, 'docs/guides/production.md')).text()
  const row = (name: string) =>
    (new RegExp(`^\\| ${name} \\|(.*)\\|$`, 'm').exec(guide)?.[1] ?? '').split('|').map(Number)
  expect(row('Connections')).toEqual(row('`WORKERS`').map(connectionsPerNode))
})
