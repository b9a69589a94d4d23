import { afterEach, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { cleanUp, givenDataDir, givenService, launchService, type Service, until } from './given-service.ts'
import { familyOf, isAlive, processesWith } from './processes.ts'

afterEach(cleanUp)

/** A request whose body never comes: the service cannot finish draining while it waits for it. */
const givenHangingRequest = (service: Service) =>
  new Promise<void>((resolve) => {
    const socket = connect(service.port, 'localhost', () => {
      socket.write('POST /api/v1/track/click HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{', () =>
        resolve(),
      )
    })
    socket.on('error', () => {})
  })

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops the service and its Postgres, and exits 0',
  async (signal) => {
    const dataDir = givenDataDir()
    const service = await givenService({ env: { DATA_DIR: dataDir } })
    const { watchdog, server, backends } = familyOf(service.pid)
    service.kill(signal)
    expect((await service.ended()).code).toBe(0)
    expect([watchdog, server, ...backends].filter(isAlive)).toEqual([])
    expect(await Bun.file(`${dataDir}/postgres.log`).text()).toContain('database system is shut down')
  },
)

test('the three signals of one Ctrl-C count as one', async () => {
  const service = await givenService({ env: { DATA_DIR: givenDataDir() } })
  for (let times = 0; times < 3; times += 1) service.kill('SIGINT')
  expect((await service.ended()).code).toBe(0)
})

test('a signal during the start is obeyed as soon as the start is over', async () => {
  const dataDir = givenDataDir()
  const service = launchService({ env: { DATA_DIR: dataDir } })
  await until(() => processesWith(dataDir).length > 0)
  service.kill('SIGTERM')
  expect((await service.ended()).code).toBe(0)
  expect(processesWith(dataDir)).toEqual([])
})

test('a second signal does not wait for the drain, and still takes Postgres along', async () => {
  const dataDir = givenDataDir()
  const service = await givenService({ env: { DATA_DIR: dataDir } })
  await givenHangingRequest(service)
  await Bun.sleep(100)
  service.kill('SIGTERM')
  await Bun.sleep(800)
  expect(service.isRunning()).toBe(true)
  service.kill('SIGTERM')
  expect((await service.ended()).code).toBe(1)
  await until(() => processesWith(dataDir).length === 0, 5_000)
})
