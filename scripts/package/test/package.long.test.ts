import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  cleanUp,
  givenDataDir,
  givenService,
  launchService,
} from '../../../apps/server/test/lifecycle/given-service.ts'
import manifest from '../../../package.json'

const ROOT = join(import.meta.dir, '../../..')
/** Bun alone is 103 MB and Postgres 60 MB: docs/decisions/0041-packages-and-releases.md. */
const MOST_MEGABYTES = 220

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tributary-package-')))
afterAll(async () => {
  await cleanUp()
  rmSync(folder, { recursive: true, force: true })
})

const run = (cwd: string, ...command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout.toString()
}

/** An empty folder where the package is installed from its tarball. */
const givenInstalled = async () => {
  const { packTo } = await import(join(ROOT, 'scripts/package/pack.mjs'))
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  const packed: string[] = packTo(tarballs, { root: ROOT, bun: process.execPath })
  const app = join(folder, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{}')
  const server = packed.find((path) => path.includes('server')) ?? ''
  run(app, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', server)
  return { app, packed }
}

test('the packed service runs with npx from an empty folder, and so does every command', async () => {
  const { app, packed } = await givenInstalled()
  expect(packed).toHaveLength(3)
  expect(readdirSync(join(app, 'node_modules/.bin'))).toContain('tributary')
  expect(Number(run(app, 'du', '-sm', 'node_modules').split('\t')[0])).toBeLessThan(MOST_MEGABYTES)
  const npx = ['npx', '--no-install', 'tributary']
  expect(run(app, ...npx, '--version')).toBe(`${manifest.version}\n`)

  const dataDir = givenDataDir()
  const env = { DATA_DIR: dataDir, DEMO: 'true', WORKERS: '2' }
  // Without npx, which reports the signal that stops it instead of the service's exit code.
  const service = await givenService({ env, command: ['node_modules/.bin/tributary', 'start'], cwd: app })
  expect(await (await service.get('/healthz')).json()).toMatchObject({ version: manifest.version })
  for (const path of ['/readyz', '/sdk.tgz', '/service-tracker.js', '/docs', '/openapi.json'])
    expect((await service.get(path)).status).toBe(200)
  expect(await (await service.get('/')).text()).toContain('/assets/')

  const command = (dir: string, ...args: string[]) =>
    launchService({ env: { DATA_DIR: dir }, command: [...npx, ...args], cwd: app }).ended()
  const backup = join(folder, 'one.backup')
  expect(await command(dataDir, 'backup', backup)).toMatchObject({ code: 0 })
  const listed = await command(dataDir, 'admin', 'programs')
  expect(listed.stdout).toContain('Acme Partner Program')
  service.kill('SIGTERM')
  expect((await service.ended()).code).toBe(0)
  expect(await command(dataDir, 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('0 differences') })
  expect(await command(givenDataDir(), 'restore', backup)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 differences'),
  })
}, 600_000)
