import { describe, expect, test } from 'bun:test'
import net from 'node:net'
import { createLog } from '../../src/log.ts'
import { createResults } from '../../src/webhooks/delivery/worker.ts'
import { createPost } from '../../src/webhooks/sending/post.ts'
import { addressRules } from '../../src/webhooks/sending/public-addresses.ts'
import { givenService } from '../support/shared-service.ts'
import { isLongRun } from '../support/size.ts'
import {
  deliveriesOf,
  givenEndpoint,
  givenEvents,
  givenOwner,
  givenReceiver,
  LOCAL,
  type OwnedProgram,
  until,
} from './given-webhooks.ts'

const service = await givenService(LOCAL)

const within = <T>(milliseconds: number, promise: Promise<T>) =>
  Promise.race([promise, Bun.sleep(milliseconds).then(() => 'never' as const)])

/** Answers every request with the same bytes. */
const givenRaw = async (answer: string) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write(answer))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`
}

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'

describe('a receiver that answers 101', () => {
  test('post ends with the timeout', async () => {
    const { post } = createPost(addressRules(LOCAL.webhookAllowHosts), 500)
    const result = await within(60_000, post({ url: await givenRaw(SWITCHING), headers: {}, body: '{}' }))
    expect(result).not.toBe('never')
  })

  test('post ends when the service stops', async () => {
    const { post } = createPost(addressRules(LOCAL.webhookAllowHosts), 60_000)
    const stopping = new AbortController()
    setTimeout(() => stopping.abort(), 300)
    const result = await within(
      60_000,
      post({ url: await givenRaw(SWITCHING), headers: {}, body: '{}', signal: stopping.signal }),
    )
    expect(result).not.toBe('never')
  })
})

describe('a receiver that sends informational responses', () => {
  const HINT = 'HTTP/1.1 103 Early Hints\r\n\r\n'
  const { post } = createPost(addressRules(LOCAL.webhookAllowHosts), 60_000)

  test('is cut off if they do not end, and heard after a few', async () => {
    for (const hint of [HINT, 'HTTP/1.1 100 Continue\r\n\r\n']) {
      // Without the limit, this would end with the timeout.
      const endless = await givenRaw(hint.repeat(1_000))
      expect(await post({ url: endless, headers: {}, body: '{}' })).toMatchObject({
        status: null,
        error: 'connection_failed',
      })
    }
    const polite = await givenRaw(`${HINT.repeat(5)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`)
    expect(await post({ url: polite, headers: {}, body: '{}' })).toMatchObject({ status: 200, response: 'ok' })
  })
})

describe('results', () => {
  test('are all counted when returning deliveries fails once', async () => {
    let fails = true
    const db = new Proxy(service.db, {
      get: (target, name) => {
        if (name === 'getExecutor' && fails) {
          fails = false
          return () => {
            throw new Error('connection lost')
          }
        }
        const value = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const results = createResults({ db, clock: service.clock.now, log: createLog('silent') })
    const lease = '00000000-0000-0000-0000-000000000000'
    const delivery = { programId: 1, endpointId: 1, id: 1, lease, eventId: 1, customerKey: null }
    results.add({
      delivery,
      at: new Date(),
      durationMs: 1,
      url: '',
      signature: '',
      status: 500,
      error: null,
      response: null,
      pauseMs: 1,
    })
    results.giveBack([{ ...delivery, id: 2 } as never])
    let counted = 0
    for (let round = 0; round < 4; round++) counted += (await results.write().catch(() => 0)) ?? 0
    // The worker subtracts this number. An uncounted result would keep its place, and stop() would wait for it.
    expect(counted).toBe(2)
  })
})

// How soon a worker learns of it depends on the machine.
describe('a deleted endpoint', () => {
  test.skipIf(!isLongRun)('gets nothing that was only waiting in memory', async () => {
    const program = await givenOwner(service)
    let isSlow = false
    const { promise, resolve } = Promise.withResolvers<void>()
    const receiver = givenReceiver(() => (isSlow ? { after: promise } : {}))
    const { id } = await givenEndpoint(program, { url: receiver.url })
    for (let round = 0; round < 4; round++) {
      await givenEvents(service, program.id, Array(20).fill('sale.created'))
      await receiver.got((round + 1) * 20)
    }
    await until(async () => (await deliveriesOf(program, '&state=pending')).length === 0)
    isSlow = true
    await givenEvents(service, program.id, Array(150).fill('sale.created'))
    await receiver.got(100)
    const { status } = await program.owner.call('DELETE', `${program.api}/webhook-endpoints/${id}`)
    expect(status).toBe(200)
    const before = receiver.received.length
    // Time to learn of it.
    await Bun.sleep(1_000)
    resolve()
    await Bun.sleep(3_000)
    expect(receiver.received.length - before).toBe(0)
  })
})

describe('five endpoints of one program that were fast and now hang', () => {
  test.skipIf(!isLongRun)('do not hold up another program', async () => {
    const hostile = await givenOwner(service)
    const victim = await givenOwner(service)
    let isSlow = false
    const { promise, resolve } = Promise.withResolvers<void>()
    const receiver = givenReceiver(() => (isSlow ? { after: promise } : {}))
    const own = givenReceiver()
    await givenEndpoint(victim, { url: own.url })
    for (let index = 0; index < 5; index++) await givenEndpoint(hostile, { url: receiver.url })
    for (let round = 0; round < 20; round++) {
      await givenEvents(service, hostile.id, Array(5).fill('sale.created'))
      await receiver.got((round + 1) * 25)
    }
    await until(async () => (await deliveriesOf(hostile, '&state=pending')).length === 0)
    isSlow = true
    await givenEvents(service, hostile.id, Array(900).fill('sale.created'))
    await receiver.got(500 + 100)
    await Bun.sleep(2_000)
    await givenEvents(service, victim.id)
    const got = await within(
      8_000,
      own.got(1).then(() => 'delivered'),
    )
    resolve()
    expect(got).toBe('delivered')
  })
})

describe('slow endpoints of many programs', () => {
  test.skipIf(!isLongRun)('do not hold up another program', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = givenReceiver(() => ({ after: promise }))
    const victim = await givenOwner(service)
    const own = givenReceiver()
    await givenEndpoint(victim, { url: own.url })
    const hostile: OwnedProgram[] = []
    // One after the other: a busy machine answers some of 30 concurrent sign-ups with 503.
    while (hostile.length < 30) hostile.push(await givenOwner(service))
    for (const program of hostile) for (let each = 0; each < 20; each++) await givenEndpoint(program, { url: slow.url })
    for (const program of hostile) await givenEvents(service, program.id, Array(20).fill('sale.created'))
    // More than two thirds of all places.
    await slow.got(1_400)
    await givenEvents(service, victim.id, Array(20).fill('sale.created'))
    const got = await within(
      10_000,
      own.got(20).then(() => 'delivered'),
    )
    resolve()
    expect(got).toBe('delivered')
  })
})
