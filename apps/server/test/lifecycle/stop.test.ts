import { afterEach, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { isLongRun } from '../support/size.ts'
import { cleanUp, givenService, isReady, launchService, type Service, until } from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { familyOf, isAlive, processesWith } from './processes.ts'

afterEach(cleanUp)

const BODY = '{"affiliate_url":"https://shop.example/?aff=none"}'

/** A request whose body is sent only later: the service cannot finish draining before. */
const givenHangingRequest = async (service: Service) => {
  const socket = connect(service.port, 'localhost')
  let answer = ''
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      answer += chunk
    })
  const head = `POST /api/v1/track/click HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY.length}\r\n\r\n{`
  await new Promise((resolve) => socket.write(head, resolve))
  // A later call has been answered, so the service has read this one as far as it goes.
  for (let later = 0; later < 3; later += 1) expect(await isReady(service)).toBe(true)
  return { finish: () => socket.write(BODY.slice(1)), answer: () => answer }
}

/** Waits until the service is draining: new connections fail. */
const untilDraining = (service: Service) => until(async () => !(await canConnect(service.port)))

const canConnect = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, 'localhost', () => resolve(true))
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
  })

// launcher.long.test.ts stops both by way of the launcher.
test.skipIf(!isLongRun).each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops the service and its Postgres, and exits 0',
  async (signal) => {
    const dataDir = await givenPreparedDataDir()
    const service = await givenService({ env: { DATA_DIR: dataDir } })
    const { watchdog, server, backends } = familyOf(service.pid)
    service.kill(signal)
    expect((await service.ended()).code).toBe(0)
    expect([watchdog, server, ...backends].filter(isAlive)).toEqual([])
    expect(await Bun.file(`${dataDir}/postgres.log`).text()).toContain('database system is shut down')
  },
)

test('Ctrl-C, delivered by the terminal, npm and the launcher, counts as one signal and lets requests finish', async () => {
  const service = await givenService({ env: { DATA_DIR: await givenPreparedDataDir() } })
  const { watchdog, server } = familyOf(service.pid)
  const request = await givenHangingRequest(service)
  // Three different signals: the kernel would merge equal pending ones.
  service.pressCtrlC()
  service.kill('SIGTERM')
  service.kill('SIGHUP')
  await untilDraining(service)
  expect([service.pid, watchdog, server].filter(isAlive)).toEqual([service.pid, watchdog, server])
  request.finish()
  expect((await service.ended()).code).toBe(0)
  expect(request.answer()).toContain('link_not_found')
  expect([watchdog, server].filter(isAlive)).toEqual([])
})

test.skipIf(!isLongRun)('a signal during the start takes effect once the start completes', async () => {
  const dataDir = await givenPreparedDataDir()
  const service = launchService({ env: { DATA_DIR: dataDir } })
  await until(() => processesWith(dataDir).length > 0)
  service.kill('SIGTERM')
  expect((await service.ended()).code).toBe(0)
  expect(processesWith(dataDir)).toEqual([])
})

/** Signals closer together than this are one press of Ctrl-C (src/main.ts). */
const ONE_KEYPRESS_MS = 300

test.skipIf(!isLongRun)('a second signal skips the drain and still stops Postgres', async () => {
  const dataDir = await givenPreparedDataDir()
  const service = await givenService({ env: { DATA_DIR: dataDir } })
  await givenHangingRequest(service)
  service.kill('SIGTERM')
  await untilDraining(service)
  await Bun.sleep(ONE_KEYPRESS_MS + 50)
  expect(service.isRunning()).toBe(true)
  service.kill('SIGTERM')
  expect((await service.ended()).code).toBe(1)
  await until(() => processesWith(dataDir).length === 0)
})
