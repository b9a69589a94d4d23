import { describe, expect, test } from 'bun:test'
import { expectRefusal, unique } from '../../support/given.ts'
import { givenService } from '../../support/shared-service.ts'
import { contentOf, eventIn, givenPaddle, type PaddleProgram, secretKey } from './given-paddle.ts'

const service = await givenService()
const MINUTE_SECONDS = 60

const nowSeconds = () => Math.floor(service.clock.now().getTime() / 1000)

const expectNothingStored = async (program: PaddleProgram) => {
  expect(await program.inbox()).toEqual([])
  expect(await program.sales()).toEqual([])
  expect(await program.connection()).toMatchObject({ status: 'pending', connectedAt: null })
}

describe('an event from Paddle', () => {
  test.each([
    ['another secret', { secrets: [secretKey()] }],
    ['no secret', { secrets: [] }],
    ['six minutes ago', { minutes: -6 }],
    ['six minutes from now', { minutes: 6 }],
  ])('signed with %s is refused and not stored', async (_, { secrets, minutes = 0 }: Signing) => {
    const program = await givenPaddle(service)
    const completed = eventIn((await program.payment()).deliveries, 'transaction.completed')
    const atSeconds = nowSeconds() + minutes * MINUTE_SECONDS
    const signed = program.fake.sign(completed, { secrets: secrets ?? [program.secret], atSeconds })
    expectRefusal(await program.deliver(signed), 400, 'invalid_signature')
    await expectNothingStored(program)
  })
  type Signing = { secrets?: string[]; minutes?: number }

  test.each([
    ['no signature', () => null],
    ['an empty signature', () => ''],
    ['no time', (signature: string) => signature.replace(/^ts=\d+;/, '')],
    ['two times', (signature: string) => `ts=1;${signature}`],
    ['another time', (signature: string) => signature.replace(/^ts=(\d+)/, (_, ts) => `ts=${Number(ts) - 1}`)],
    ['half a signature', (signature: string) => signature.slice(0, -32)],
    ['another algorithm', (signature: string) => signature.replace('h1=', 'h2=')],
  ])('with %s is refused and not stored', async (_, change) => {
    const program = await givenPaddle(service)
    const completed = program.fake.sign(eventIn((await program.payment()).deliveries, 'transaction.completed'))
    const { 'paddle-signature': signature = '', ...headers } = completed.headers
    const changed = change(signature)
    const delivery = { ...completed, headers: { ...headers, ...(changed !== null && { 'paddle-signature': changed }) } }
    expectRefusal(await program.deliver(delivery), 400, 'invalid_signature')
    await expectNothingStored(program)
  })

  test('is verified over its exact bytes', async () => {
    const program = await givenPaddle(service)
    const completed = eventIn((await program.payment()).deliveries, 'transaction.completed')
    const { headers } = program.fake.sign(completed)
    const body = new Uint8Array(Buffer.from(JSON.stringify(contentOf(completed), null, 1)))
    expectRefusal(await program.deliver({ headers, body }), 400, 'invalid_signature')
    await expectNothingStored(program)
    expect(await program.deliver(program.fake.sign({ ...completed, body }))).toMatchObject({ status: 200 })
    expect(Buffer.from((await program.inbox())[0]?.payload ?? [])).toEqual(Buffer.from(body))
  })

  test('signed with several secrets is accepted whichever of them is ours', async () => {
    const program = await givenPaddle(service)
    const { secret, fake } = program
    for (const secrets of [
      [secret, secretKey()],
      [secretKey(), secret],
      [secretKey(), secret, secretKey()],
    ]) {
      const { deliveries } = await program.payment()
      for (const delivery of deliveries)
        expect(await program.deliver(fake.sign(delivery, { secrets }))).toMatchObject({ status: 200 })
    }
    expect(await program.sales()).toHaveLength(3)
  })

  test('is accepted with the next secret, which then replaces the current one', async () => {
    const program = await givenPaddle(service)
    const nextWebhookSecret = secretKey()
    await program.send((await program.payment()).deliveries)
    expect(await program.connect({ nextWebhookSecret })).toMatchObject({ status: 200 })
    await program.send((await program.payment()).deliveries)
    const [paid, completed] = (await program.payment()).deliveries
    if (!paid || !completed) throw new Error('two events are sent')
    const withNext = { secrets: [nextWebhookSecret] }
    expect(await program.deliver(program.fake.sign(paid, withNext))).toMatchObject({ status: 200 })
    expectRefusal(await program.deliver(program.fake.sign(completed)), 400, 'invalid_signature')
    expect(await program.deliver(program.fake.sign(completed, withNext))).toMatchObject({ status: 200 })
    expect(await program.sales()).toHaveLength(3)
    expect(await program.connection()).toMatchObject({ status: 'connected', hasNextSecret: false })
  })

  test('for a program that was disconnected is answered 404 and not stored', async () => {
    const program = await givenPaddle(service)
    const { deliveries } = await program.payment()
    expect(await program.disconnect()).toMatchObject({ status: 200 })
    for (const delivery of deliveries) expectRefusal(await program.deliver(delivery), 404, 'not_found')
    expect(await program.inbox()).toEqual([])
  })

  test('cannot be sent to another program', async () => {
    const [program, other] = [await givenPaddle(service), await givenPaddle(service)]
    for (const delivery of (await program.payment()).deliveries)
      expectRefusal(await other.deliver(delivery), 400, 'invalid_signature')
    await expectNothingStored(other)
  })
})

test('only a secret key of Paddle is accepted', async () => {
  const program = await givenPaddle(service)
  for (const webhookSecret of [`whsec_${unique('secret')}`, 'pdl_live_apikey_01', 'pdl_ntfset_'])
    expectRefusal(await program.connect({ webhookSecret }), 400, 'invalid_request')
})

test('the set-up page says where to go, what to subscribe to, and what has arrived', async () => {
  const program = await givenPaddle(service)
  await program.send((await program.payment()).deliveries)
  const { setUp, eventTypes, endpointUrl } = await program.connection()
  expect(endpointUrl).toEndWith(program.path)
  expect(setUp.steps.join(' ')).toContain('Developer tools → Notifications')
  expect(setUp.example).toContain(`program_id: '${program.id}'`)
  expect(setUp.secret).toEqual({ label: 'Secret key', placeholder: 'pdl_ntfset_…' })
  expect(eventTypes).toEqual([
    { type: 'transaction.completed', subscribed: true, lastSeenAt: expect.any(String) },
    { type: 'adjustment.created', subscribed: false, lastSeenAt: null },
    { type: 'adjustment.updated', subscribed: false, lastSeenAt: null },
    { type: 'subscription.canceled', subscribed: false, lastSeenAt: null },
    { type: 'discount.created', subscribed: false, lastSeenAt: null },
    { type: 'discount.updated', subscribed: false, lastSeenAt: null },
    { type: 'customer.created', subscribed: false, lastSeenAt: null },
    { type: 'customer.updated', subscribed: false, lastSeenAt: null },
  ])
})
