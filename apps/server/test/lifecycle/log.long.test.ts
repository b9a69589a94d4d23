import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { VERSION } from '@tributary/contract/version'
import { isLongRun } from '../support/size.ts'
import { givenDatabase } from './given-postgres.ts'
import { cleanUp, givenDataDir, givenService, type Service, until } from './given-service.ts'

/** One service with the demo data, as under a supervisor: its output is a pipe. The tests use it in order. */
let service: Service
let dataDir: string

beforeAll(async () => {
  dataDir = givenDataDir()
  const env = { DATA_DIR: dataDir, DATABASE_URL: await givenDatabase(), DEMO: 'true', NODE_NAME: 'berlin-1' }
  service = await givenService({ env })
})
afterAll(cleanUp)

const lines = () =>
  service
    .stdout()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('the log says where the service runs how to set it up and how to sign in to the demo, without the banner', async () => {
  await until(() => service.stdout().includes('is running at'))
  const started = lines().find(({ msg }) => msg.startsWith('Tributary is running at http'))
  expect(started).toMatchObject({
    setUpUrl: expect.stringMatching(/\/sign-up\?setup=[\w-]{24}$/),
    demoEmail: 'demo@tributary.example',
    demoPassword: (await Bun.file(join(dataDir, 'demo-sign-in.json')).json()).password,
  })
})

const REFUSED = 2_000

test.skipIf(!isLongRun)(
  'a flood of refused calls fills the log with one line a second and kind, and no call goes missing',
  async () => {
    const before = service.stdout().length
    const startedAt = Date.now()
    const refuse = (path: string) => fetch(`http://localhost:${service.port}${path}`, { method: 'POST', body: '{}' })
    for (let sent = 0; sent < REFUSED; sent += 50)
      await Promise.all(Array.from({ length: 25 }, () => [refuse('/api/v1/track/click'), refuse('/nowhere')]).flat())
    const seconds = (Date.now() - startedAt) / 1_000
    const refusals = () => lines().filter(({ status }) => status >= 400)
    const counted = () => refusals().reduce((sum, { count = 1 }) => sum + count, 0)
    await until(() => counted() >= REFUSED)
    expect(counted()).toBe(REFUSED)
    expect([...new Set(refusals().map(({ code }) => code))].sort()).toEqual(['missing_affiliate_url', 'not_found'])
    // Two kinds, with a line for the first call and one for the second in which it ends.
    expect(refusals().length).toBeLessThanOrEqual(2 * (seconds + 2))
    expect(service.stdout().length - before).toBeLessThan(1_000 * (seconds + 2))
  },
)

test('every line of the output is JSON with its time, level, version, node and worker, on one stream', async () => {
  service.kill('SIGTERM')
  const { code, stderr } = await service.ended()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const line of lines())
    expect(line).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: expect.stringMatching(/^(info|warn)$/),
      version: VERSION,
      node: 'berlin-1',
      worker: 0,
    })
})
