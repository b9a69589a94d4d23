import { afterEach, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { MAX_EVENT_BYTES } from '@tributary/contract'
import { expectRefusal } from '../support/given.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { givenProcessor, post, signatureOf } from './given-processor.ts'

const service = await startTestService({ trustedProxies: ['127.0.0.1'] })
const limited = await startTestService({ rateLimits: true })
limited.clock.stop()

const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

type PartialRequest = { path: string; head: string[]; body: Buffer | string }

/** Sends a call whose body does not end. */
const begin = (to: TestService, { path, head, body }: PartialRequest) => {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1')
  open.push(socket)
  socket.on('error', () => {})
  socket.write([`POST ${path} HTTP/1.1`, 'Host: tributary.example', ...head, '', ''].join('\r\n'))
  socket.write(body)
  return socket
}

/** Well-formed and current, but not signed with the secret. */
const junk = (to: TestService) =>
  `Stripe-Signature: t=${Math.floor(to.clock.now().getTime() / 1000)},v1=${'ab'.repeat(32)}`

/** How many calls of a route were answered with this status. */
const answered = async (to: TestService, route: string, status: number) => {
  const text = await (await fetch(`${to.url}/metrics`)).text()
  const line = text.split('\n').find((row) => row.includes(`route="${route}",status="${status}"`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

const WEBHOOK = '/api/v1/processor/webhook/:programId'

test('an ordinary event is read even if large bodies use all their memory', async () => {
  const program = await givenProcessor(service)
  const body = Buffer.alloc(MAX_EVENT_BYTES - 1, 120)
  const hold = (from: string) => {
    const head = [`X-Forwarded-For: ${from}`, `Content-Length: ${MAX_EVENT_BYTES}`, junk(service)]
    begin(service, { path: program.path, head, body })
  }
  for (let index = 0; index < 8; index++) hold(`192.0.2.${index}`)
  const deliver = async (bytes: number) => {
    const raw = JSON.stringify((await program.payment()).completed()).padEnd(bytes)
    const signature = await signatureOf(raw, { secret: program.secret, at: service.clock.now() })
    return post(service, program.path, raw, signature)
  }
  let large = await deliver(300 * 1024)
  // On a slow machine the first ones time out before the last have arrived.
  for (let index = 8; large.status === 200; index++) {
    hold(`192.0.2.${index % 250}`)
    large = await deliver(300 * 1024)
  }
  expectRefusal(large, 503, 'overloaded')
  expect((await deliver(250 * 1024)).status).toBe(200)
  expect((await deliver(0)).status).toBe(200)
})

test('the limit of wrong signatures counts complete bodies: a broken connection is not a guess', async () => {
  const program = await givenProcessor(limited)
  for (let sent = 0; sent < 130; sent++) {
    const head = [sent < 125 ? 'Content-Length: 1000' : 'Transfer-Encoding: chunked', junk(limited)]
    begin(limited, { path: program.path, head, body: sent < 125 ? 'half' : '4\r\nhalf\r\n' })
  }
  // Each is cut off once its header has been checked.
  const event = (await program.payment()).completed()
  expect((await program.deliver(event)).status).toBe(200)
  for (const socket of open.splice(0)) socket.destroy()
  while ((await answered(limited, WEBHOOK, 400)) + (await answered(limited, WEBHOOK, 503)) < 130)
    await new Promise((done) => setImmediate(done))
  expect((await program.deliver((await program.payment()).completed())).status).toBe(200)
  // An aborted connection is not a sign of an outage.
  expect(await answered(limited, WEBHOOK, 503)).toBe(0)
})

test('an aborted tracking call is the caller’s error and not reported as an outage', async () => {
  const routes = ['/api/v1/track/click', '/api/v1/track/lead']
  for (const path of routes)
    for (const [head, body] of [
      ['Content-Length: 100', '{"aff'],
      ['Transfer-Encoding: chunked', '5\r\n{"aff\r\n'],
    ] as const)
      begin(service, { path, head: [head], body })
  // A call on another connection is answered after those have started.
  expect((await service.call('GET', '/healthz')).status).toBe(200)
  for (const socket of open.splice(0)) socket.destroy()
  for (const route of routes) {
    while ((await answered(service, route, 400)) + (await answered(service, route, 503)) < 2)
      await new Promise((done) => setImmediate(done))
    expect(await answered(service, route, 503)).toBe(0)
  }
})
