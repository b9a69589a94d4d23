import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  cleanUp,
  freePort,
  givenDataDir,
  launchService,
  ROOT,
  until,
} from '../../../apps/server/test/lifecycle/given-service.ts'
import { givenPreparedDataDir } from '../../../apps/server/test/lifecycle/prepared-data.ts'
import { processesWith } from '../../../apps/server/test/lifecycle/processes.ts'
import { isLongRun } from '../../../apps/server/test/support/size.ts'

afterEach(cleanUp)

const launchDemo = (dataDir: string, env: Record<string, string> = {}) => {
  const [shopPort, processorPort] = [freePort(), freePort()]
  const demo = launchService({
    command: ['node', join(ROOT, 'scripts/demo.mjs')],
    env: { DATA_DIR: dataDir, SHOP_PORT: String(shopPort), PROCESSOR_PORT: String(processorPort), ...env },
  })
  return { ...demo, shopUrl: `http://localhost:${shopPort}`, processorUrl: `http://localhost:${processorPort}` }
}

/** Takes seconds, but much longer on a busy machine. A failed start is reported immediately. */
const START_WITHIN_MS = 120_000

/** Waits for the shop, which starts last. */
const givenDemo = async (dataDir: string) => {
  const demo = launchDemo(dataDir)
  await until(async () => {
    if (!demo.isRunning()) throw new Error(`the demo exited: ${JSON.stringify(await demo.ended())}`)
    return fetch(demo.shopUrl).then(
      ({ ok }) => ok,
      () => false,
    )
  }, START_WITHIN_MS)
  return demo
}

const programOf = async ({ shopUrl }: { shopUrl: string }) =>
  /data-program-id="(\d+)"/.exec(await (await fetch(shopUrl)).text())?.[1]

/** What the shop's partner sees after signing in. */
const portalProgramOf = async ({ port }: { port: number | string }, signIn: { email: string; password: string }) => {
  const url = `http://localhost:${port}`
  const { headers } = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signIn),
  })
  const cookie = headers.getSetCookie().join('; ')
  const { data } = (await (await fetch(`${url}/api/portal/programs`, { headers: { cookie } })).json()) as {
    data: unknown[]
  }
  return data[0]
}

test(
  'starts all three, prints instructions, stops with Ctrl-C and reuses its program next time',
  async () => {
    // The long form starts with an empty folder.
    const dataDir = isLongRun ? givenDataDir() : await givenPreparedDataDir('demo')
    const first = await givenDemo(dataDir)
    const programId = await programOf(first)
    expect((await fetch(first.processorUrl)).status).toBe(200)
    expect((await first.get('/readyz')).status).toBe(200)
    first.pressCtrlC()
    const { code, stdout, stderr } = await first.ended()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const part of [`${first.shopUrl}/?aff=`, first.processorUrl, `localhost:${first.port}`, 'password', 'explain'])
      expect(stdout).toContain(part)
    expect(stdout).toContain(`localhost:${first.port}/programs/${programId}`)
    expect(processesWith(dataDir)).toEqual([])

    const second = await givenDemo(dataDir)
    expect(await programOf(second)).toBe(programId)
    const [, password = ''] = /password +(\S+)/.exec(stdout) ?? []
    expect(await portalProgramOf(second, { email: 'ines@example.com', password })).toMatchObject({
      programName: 'Quillet partners',
    })
    second.kill('SIGTERM')
    expect((await second.ended()).code).toBe(0)
    expect(processesWith(dataDir)).toEqual([])
  },
  4 * START_WITHIN_MS,
)

test(
  'reports a port in use and starts nothing',
  async () => {
    const dataDir = givenDataDir()
    const taken = Bun.serve({ port: 0, fetch: () => new Response() })
    const port = String(taken.port)
    const { code, stderr } = await launchDemo(dataDir, { SHOP_PORT: port }).ended()
    await taken.stop(true)
    expect(code).toBe(1)
    expect(stderr.trim()).toBe(
      `Port ${port} is in use. Stop the program that uses it, or set SHOP_PORT to another one.`,
    )
  },
  START_WITHIN_MS,
)

test.skipIf(!isLongRun)(
  'Ctrl-C during startup leaves no processes',
  async () => {
    const dataDir = await givenPreparedDataDir('demo')
    const demo = launchDemo(dataDir)
    await until(() => processesWith(dataDir).length > 0, START_WITHIN_MS)
    demo.pressCtrlC()
    await demo.ended()
    await until(() => processesWith(dataDir).length === 0, START_WITHIN_MS)
  },
  3 * START_WITHIN_MS,
)
