import { afterEach, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { cleanUp, givenDataDir, givenService, launchService, type Service, until } from './given-service.ts'
import { familyOf, isAlive, processesWith } from './processes.ts'

afterEach(cleanUp)

/** A request whose body does not come: the service cannot finish draining before it is broken off. */
const givenHangingRequest = async (service: Service) => {
  const socket = connect(service.port, 'localhost')
  socket.on('error', () => {})
  socket.write('POST /api/v1/track/click HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{')
  await Bun.sleep(100)
  return { breakOff: () => socket.destroy() }
}

test.each([
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
] as const)('%s stops the service and its Postgres, and exits 0', async (signal) => {
  const dataDir = givenDataDir()
  const service = await givenService({ env: { DATA_DIR: dataDir } })
  const { watchdog, server, backends } = familyOf(service.pid)
  service.kill(signal)
  expect((await service.ended()).code).toBe(0)
  expect([watchdog, server, ...backends].filter(isAlive)).toEqual([])
  expect(await Bun.file(`${dataDir}/postgres.log`).text()).toContain('database system is shut down')
})

test('Ctrl-C, which comes from the terminal, from npm and from the launcher, counts as one and lets requests finish', async () => {
  const service = await givenService({ env: { DATA_DIR: givenDataDir() } })
  const { watchdog, server } = familyOf(service.pid)
  const request = await givenHangingRequest(service)
  for (let times = 0; times < 3; times += 1) {
    service.pressCtrlC()
    await Bun.sleep(50)
  }
  await Bun.sleep(500)
  expect([service.pid, watchdog, server].filter(isAlive)).toEqual([service.pid, watchdog, server])
  request.breakOff()
  expect((await service.ended()).code).toBe(0)
  expect([watchdog, server].filter(isAlive)).toEqual([])
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
  service.kill('SIGTERM')
  await Bun.sleep(800)
  expect(service.isRunning()).toBe(true)
  service.kill('SIGTERM')
  expect((await service.ended()).code).toBe(1)
  await until(() => processesWith(dataDir).length === 0, 5_000)
})
