import { afterEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLongRun, sized } from '../support/size.ts'
import { cleanUp, givenDataDir, givenService, isReady, launchService, ROOT, until } from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { childrenOf, isAlive, processesWith } from './processes.ts'

afterEach(cleanUp)

const givenLauncher = (dataDir: string) =>
  givenService({
    command: ['node', join(ROOT, 'scripts/tributary.mjs'), 'start'],
    cwd: '/',
    env: { DATA_DIR: dataDir },
  })

test.each(
  sized({ short: ['SIGTERM'], long: ['SIGTERM', 'SIGINT'] } as const),
)('%s to the launcher drains the service, and the launcher passes its exit code on', async (signal) => {
  const dataDir = await givenPreparedDataDir()
  const launcher = await givenLauncher(dataDir)
  const [service] = childrenOf(launcher.pid)
  launcher.kill(signal)
  expect((await launcher.ended()).code).toBe(0)
  expect(isAlive(Number(service?.pid))).toBe(false)
  expect(processesWith(dataDir)).toEqual([])
  expect(await Bun.file(`${dataDir}/postgres.log`).text()).toContain('database system is shut down')
})

test.skipIf(!isLongRun)('kill -9 of the launcher stops the service and Postgres', async () => {
  const dataDir = await givenPreparedDataDir()
  const launcher = await givenLauncher(dataDir)
  const [service] = childrenOf(launcher.pid)
  launcher.kill('SIGKILL')
  await until(() => !isAlive(Number(service?.pid)) && processesWith(dataDir).length === 0)
  expect(await isReady(launcher)).toBe(false)
})

test('a refused start passes on its exit code and its message', async () => {
  const command = ['node', join(ROOT, 'scripts/tributary.mjs'), 'start']
  const { code, complaints } = await launchService({ command, env: { DATA_DIR: givenDataDir(), PORT: 'abc' } }).ended()
  expect(code).toBe(1)
  expect(complaints.trim()).toBe('PORT must be a number from 0 to 65535, not "abc".')
})

const FAILS = ['fails', `test('a', () => {}); test('b', () => { throw new Error() })`, '1 passed, 1 failed', 1] as const

test.each(
  isLongRun
    ? [
        FAILS,
        ['passes', `test('a', () => {}); test('b', () => {})`, '2 passed, 0 failed', 0] as const,
        ['cannot be loaded', `import './nowhere.ts'`, '0 passed, 1 failed', 1] as const,
        ['has no tests', '', '0 passed, 1 failed', 1] as const,
      ]
    : [FAILS],
)('the last line of npm test is right when a file %s', async (_, source, lastLine, code) => {
  const folder = givenDataDir()
  writeFileSync(join(folder, 'sample.test.ts'), `import { test } from 'bun:test'\n${source}\n`)
  const command = ['node', join(ROOT, 'scripts/test.mjs'), join(folder, 'sample.test.ts')]
  const ended = await launchService({ command }).ended()
  expect(ended.stdout.trim().split('\n').at(-1)).toBe(lastLine)
  expect(ended.code).toBe(code)
})
