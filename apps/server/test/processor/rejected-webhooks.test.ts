import { describe, expect, test } from 'bun:test'
import { MAX_EVENT_BYTES } from '@tributary/contract'
import { expectRefusal, givenProgram } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { givenProcessor, post, signatureOf } from './given-processor.ts'
import { accountUpdated, deauthorized, stripePayment } from './stripe-events.ts'

const service = await givenService()
const SECOND_MS = 1_000

describe('a signature', () => {
  const refused = async (
    change: (raw: string, secret: string) => Promise<[string | Uint8Array, string | undefined]>,
  ) => {
    const program = await givenProcessor(service)
    const raw = JSON.stringify((await program.payment()).completed())
    const [body, signature] = await change(raw, program.secret)
    expectRefusal(await post(service, program.path, body, signature), 400, 'invalid_signature')
    expect(await program.inbox()).toEqual([])
    expect(await program.connection()).toMatchObject({ status: 'pending' })
  }
  const now = () => service.clock.now()

  test('that is missing is rejected, and nothing is stored', () => refused(async (raw) => [raw, undefined]))

  test('with another secret is rejected', () =>
    refused(async (raw) => [raw, await signatureOf(raw, { secret: 'whsec_other', at: now() })]))

  test('that is malformed is rejected', () => refused(async (raw) => [raw, 't=1,v1=zz']))

  test('over a body that changed by one byte is rejected', () =>
    refused(async (raw, secret) => [raw.replace('1190', '1191'), await signatureOf(raw, { secret, at: now() })]))

  test('over a body with an extra byte in front is rejected', () =>
    refused(async (raw, secret) => [`\uFEFF${raw}`, await signatureOf(raw, { secret, at: now() })]))

  test('over a body that is no longer text is rejected', () =>
    refused(async (raw, secret) => {
      const text = raw.replace('https://example.com/cancel', '\uFFFD')
      const bytes = Buffer.from(text)
      const at = bytes.indexOf(Buffer.from('\uFFFD'))
      const broken = Buffer.concat([bytes.subarray(0, at), Buffer.of(0xff), bytes.subarray(at + 3)])
      return [broken, await signatureOf(text, { secret, at: now() })]
    }))

  test('older than five minutes is rejected: an intercepted event cannot be sent again', () =>
    refused(async (raw, secret) => [
      raw,
      await signatureOf(raw, { secret, at: new Date(now().getTime() - 302 * SECOND_MS) }),
    ]))

  test('more than five minutes ahead is rejected: it could be sent again long after', async () => {
    for (const seconds of [305, 86_400])
      await refused(async (raw, secret) => [
        raw,
        await signatureOf(raw, { secret, at: new Date(now().getTime() + seconds * SECOND_MS) }),
      ])
  })

  test('four minutes old, or four minutes ahead of our clock, is valid', async () => {
    for (const seconds of [-240, 240]) {
      const program = await givenProcessor(service)
      const event = (await program.payment()).completed()
      const at = new Date(now().getTime() + seconds * SECOND_MS)
      expect((await program.deliver(event, { at })).status).toBe(200)
    }
  })

  test('replayed within five minutes changes nothing', async () => {
    const program = await givenProcessor(service)
    const raw = JSON.stringify((await program.payment()).completed())
    const signature = await signatureOf(raw, { secret: program.secret, at: now() })
    expect((await post(service, program.path, raw, signature)).body).toEqual({ success: true, received: true })
    expect((await post(service, program.path, raw, signature)).body).toMatchObject({ duplicate: true })
    expect(await program.sales()).toHaveLength(1)
  })
})

describe('a webhook', () => {
  test('for an unknown program answers 404, for one without a connection an invalid signature', async () => {
    const program = await givenProgram(service)
    const raw = JSON.stringify(stripePayment().completed())
    const signature = await signatureOf(raw, { secret: 'whsec_', at: service.clock.now() })
    for (const id of ['987654', 'x', '0', '99999999999'])
      expectRefusal(await post(service, `/api/v1/processor/webhook/${id}`, raw, signature), 404, 'program_not_found')
    expectRefusal(
      await post(service, `/api/v1/processor/webhook/${program.id}`, raw, signature),
      400,
      'invalid_signature',
    )
  })

  test('larger than any event answers 413, with or without a content-length', async () => {
    const program = await givenProcessor(service)
    const raw = 'x'.repeat(MAX_EVENT_BYTES + 1)
    const signature = await signatureOf('{}', { secret: program.secret, at: service.clock.now() })
    expectRefusal(await post(service, program.path, raw, signature), 413, 'payload_too_large')
    const chunks = new ReadableStream({
      start: (controller) => {
        for (let sent = 0; sent <= MAX_EVENT_BYTES; sent += 1_000_000) controller.enqueue(new Uint8Array(1_000_000))
        controller.close()
      },
    })
    const response = await fetch(service.url + program.path, {
      method: 'POST',
      headers: { 'stripe-signature': signature },
      body: chunks,
    })
    expect(response.status).toBe(413)
  })

  test('signed, but not an event, is rejected', async () => {
    const program = await givenProcessor(service)
    for (const raw of ['[]', 'null', '{"id":"evt_1"}', 'nonsense']) {
      const signature = await signatureOf(raw, { secret: program.secret, at: service.clock.now() })
      expectRefusal(await post(service, program.path, raw, signature), 400, 'invalid_request')
    }
  })

  test('from another account than the connected one is stored and refused', async () => {
    const program = await givenProcessor(service)
    await program.owner.call('PUT', `${program.api}/processor`, {
      webhookSecret: program.secret,
      accountId: 'acct_own',
    })
    const foreign = await program.payment({ account: 'acct_other' })
    const own = await program.payment({ account: 'acct_own' })
    await program.send(foreign.completed(), own.completed())
    expect((await program.events()).map(({ fate, reason }) => [fate, reason])).toContainEqual([
      'refused',
      'foreign_account',
    ])
    expect(await program.sales()).toHaveLength(1)
  })

  test('… also if it is about the permissions of another account', async () => {
    const program = await givenProcessor(service)
    const body = { webhookSecret: program.secret, accountId: 'acct_own' }
    await program.owner.call('PUT', `${program.api}/processor`, body)
    await program.send((await program.payment()).completed(), accountUpdated('acct_other', { charges_enabled: false }))
    expect((await program.events())[0]).toMatchObject({ fate: 'refused', reason: 'foreign_account' })
    expect(await program.connection()).toMatchObject({ status: 'connected', accountId: 'acct_own' })
  })

  test('a deauthorized application leaves the merchant’s endpoint unchanged, and says so', async () => {
    const program = await givenProcessor(service)
    await program.send((await program.payment()).completed(), deauthorized('acct_own'))
    expect((await program.events())[0]).toMatchObject({ fate: 'ignored', reason: 'not_by_platform' })
    expect(await program.connection()).toMatchObject({ status: 'connected' })
  })

  test('a clock that is ahead does not pin an event to the top of the list', async () => {
    const program = await givenProcessor(service)
    const ahead = { ...(await program.payment()).completed(), created: 4_000_000_000 }
    const now = (await program.payment()).completed()
    await program.send(ahead, now)
    expect((await program.events()).map(({ id }) => id)).toEqual([now.id, ahead.id])
  })
})
