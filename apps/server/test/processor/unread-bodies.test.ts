import { afterEach, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { MAX_EVENT_BYTES } from '@tributary/contract'
import { expectRefusal, givenProgram } from '../support/given.ts'
import { startTestService } from '../support/service.ts'
import { givenProcessor, post, signatureOf } from './given-processor.ts'
import { stripePayment } from './stripe-events.ts'

const service = await startTestService({ trustedProxies: ['127.0.0.1'] })
const limited = await startTestService({ rateLimits: true })
limited.clock.stop()

const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

type PartialRequest = { path: string; signature?: string; from?: string; length?: number; bytes?: number }

/**
 * Sends the head of a call and `length` bytes of its body, never the last one. Resolves with the head of the response.
 */
const begin = ({ path, signature, from = '192.0.2.1', length = MAX_EVENT_BYTES, bytes = 0 }: PartialRequest) => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  open.push(socket)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: tributary.example',
    `X-Forwarded-For: ${from}`,
    `Content-Length: ${length}`,
    ...(signature === undefined ? [] : [`Stripe-Signature: ${signature}`]),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  if (bytes > 0) socket.write(Buffer.alloc(bytes, 120))
  return new Promise<string>((resolve) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.on('data', (data) => {
      text += data
      if (text.includes('\r\n\r\n')) resolve(text)
    })
  })
}

/** Well-formed and current, but not signed with the secret. */
const junk = () => `t=${Math.floor(service.clock.now().getTime() / 1000)},v1=${'ab'.repeat(32)}`

describe('is answered before its body has arrived:', () => {
  const own = async () => (await givenProcessor(service)).path
  const withoutSecret = async () => `/api/v1/processor/webhook/${(await givenProgram(service)).id}`
  const stale = `t=1,v1=${'ab'.repeat(32)}`
  const cases: [what: string, path: () => Promise<string>, signature: string | undefined, status: number][] = [
    ['a call without a signature', own, undefined, 400],
    ['a signature that is malformed', own, 'junk', 400],
    ['a signature without a time', own, `v1=${'ab'.repeat(32)}`, 400],
    ['a signature without a hash', own, `t=${Math.floor(Date.now() / 1000)}`, 400],
    ['an old signature', own, stale, 400],
    ['an event for a program without a signing secret', withoutSecret, junk(), 400],
    ['an event for a program that does not exist', async () => '/api/v1/processor/webhook/987654', junk(), 404],
    [
      'an event of connected accounts, if the platform has no secret',
      async () => '/api/v1/processor/webhook',
      junk(),
      400,
    ],
  ]
  test.each(cases)('%s', async (_, path, signature, status) => {
    const answer = await begin({ path: await path(), ...(signature !== undefined && { signature }) })
    expect(answer.split('\r\n')[0]).toContain(String(status))
  })

  test('a body declared larger than any event', async () => {
    const answer = await begin({ path: await own(), signature: junk(), length: MAX_EVENT_BYTES + 1 })
    expect(answer.split('\r\n')[0]).toContain('413')
  })
})

test('bodies in transit are limited per address and in total, and others are still accepted', async () => {
  const program = await givenProcessor(service)
  const held = MAX_EVENT_BYTES - 1
  const hold = (from: string) => begin({ path: program.path, signature: junk(), from, bytes: held })
  // Sixty that never finish: each address is cut off at its share, all of them at the total.
  const answers: string[] = []
  for (let index = 0; index < 60; index++) void hold(`192.0.2.${index % 12}`).then((answer) => answers.push(answer))
  while (answers.length < 60 - 8) await new Promise((done) => setImmediate(done))
  const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503'))
  expect(refused.length).toBeGreaterThanOrEqual(60 - 8)
  expect(refused[0]).toMatch(/retry-after: \d+/i)

  for (const socket of open.splice(0)) socket.destroy()
  const event = (await program.payment()).completed()
  let status = 503
  while (status === 503) status = (await program.deliver(event)).status
  expect(status).toBe(200)
})

test('an event from another address is accepted while one address uses its whole share', async () => {
  const program = await givenProcessor(service)
  const hold = () => begin({ path: program.path, signature: junk(), from: '198.51.100.7', bytes: MAX_EVENT_BYTES - 1 })
  let refused = 0
  for (let index = 0; index < 4; index++) void hold().then(() => refused++)
  while (refused < 2) await new Promise((done) => setImmediate(done))
  const event = (await program.payment()).completed()
  expect((await program.deliver(event)).status).toBe(200)
})

test('an address that sends wrong signatures for a program is blocked for a minute, for that program only', async () => {
  const [guessed, other] = [await givenProcessor(limited), await givenProcessor(limited)]
  // A payment advances the clock, possibly into the next minute.
  const [theirs, others] = [await guessed.payment(), await other.payment()]
  const raw = JSON.stringify(stripePayment().completed())
  const wrong = await signatureOf(raw, { secret: 'whsec_other', at: limited.clock.now() })
  let answer = await post(limited, guessed.path, raw, wrong)
  for (let calls = 1; answer.status === 400 && calls <= 200; calls++)
    answer = await post(limited, guessed.path, raw, wrong)
  expectRefusal(answer, 429, 'rate_limited')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expectRefusal(await guessed.deliver(theirs.completed()), 429, 'rate_limited')
  expect((await other.deliver(others.completed())).status).toBe(200)
  limited.clock.advance(60_000)
  expect((await guessed.deliver(theirs.completed())).status).toBe(200)
})
