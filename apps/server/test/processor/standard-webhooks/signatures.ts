import { describe, expect, test } from 'bun:test'
import type { Delivery } from '@tributary/example-processor/fakes'
import { expectRefusal, givenProgram } from '../../support/given.ts'
import type { TestService } from '../../support/service.ts'
import { type contentOf, eventOf, type FakeProgram, givenFake, type Processed } from './given-fake.ts'

export type Content = ReturnType<typeof contentOf>

export type StandardProcessor = Processed & {
  paidType: string
  /** An account that the fake does not have by default. */
  otherAccount: string
  /** The gross amount and the currency in the content of a paid event. */
  setAmount(content: Content, value: unknown): void
  setCurrency(content: Content, value: unknown): void
  /** The events of one payment's life after the checkout, with how much of 119.00 they take back, and the part held at the end. */
  afterwards(program: FakeProgram, name: string): Delivery[]
  end: { cents: number; reversed: number; held: number }
  /** The merchant's name of a payment that must join the processor's. */
  ownName: string
}

export const PRICE = { priceCents: 10_000, taxBps: 1_900 }

export const givenPaid = async (program: FakeProgram, { paidType }: StandardProcessor) =>
  eventOf((await program.checkout(PRICE)).deliveries, paidType)

/** Signatures of https://www.standardwebhooks.com, by the fake's own code. */
export const checkSignatures = (service: TestService, suite: StandardProcessor) => {
  const { processor, paidType, newSecret } = suite
  const given = () => givenFake(service, suite)
  const paid = (program: FakeProgram) => givenPaid(program, suite)

  describe('the signature', () => {
    test('covers the exact bytes, and the first signed event connects the program', async () => {
      const program = await given()
      expect(await program.connection()).toMatchObject({ status: 'pending' })
      const event = await paid(program)
      expect(await program.deliver(event)).toMatchObject({ status: 200, body: { success: true, received: true } })
      const [kept] = await program.inbox()
      expect(Buffer.from(kept?.payload ?? []).equals(Buffer.from(event.body))).toBe(true)
      expect(kept).toMatchObject({ eventId: event.id, type: paidType, processor, livemode: true })
      expect(await program.connection()).toMatchObject({ status: 'connected' })
    })

    test.each<[string, (program: FakeProgram, event: Delivery, seconds: number) => Pick<Delivery, 'body' | 'headers'>]>(
      [
        ['by another secret', ({ fake }, event) => fake.sign(event, { secrets: [newSecret()] })],
        ['from six minutes ago', ({ fake }, event, now) => fake.sign(event, { atSeconds: now - 360 })],
        ['from six minutes ahead', ({ fake }, event, now) => fake.sign(event, { atSeconds: now + 360 })],
        ['of other bytes', (_, event) => ({ ...event, body: new Uint8Array([...event.body, 0x20]) })],
        ['of another ID', (_, event) => ({ ...event, headers: { ...event.headers, 'webhook-id': 'another' } })],
        [
          'of another time',
          (_, event, now) => ({ ...event, headers: { ...event.headers, 'webhook-timestamp': `${now - 1}` } }),
        ],
        ['that is missing', (_, event) => ({ ...event, headers: { 'content-type': 'application/json' } })],
        ['that is empty', (_, event) => ({ ...event, headers: { ...event.headers, 'webhook-signature': 'v1,' } })],
        [
          'of another version',
          (_, { headers, ...event }) => ({
            ...event,
            headers: { ...headers, 'webhook-signature': String(headers['webhook-signature']).replace('v1,', 'v1a,') },
          }),
        ],
      ],
    )('%s is refused, and nothing is stored', async (_, forge) => {
      const program = await given()
      const event = await paid(program)
      const seconds = Math.floor(service.clock.now().getTime() / 1000)
      expectRefusal((await program.deliver(forge(program, event, seconds))) as never, 400, 'invalid_signature')
      expect(await program.inbox()).toEqual([])
      expect(await program.connection()).toMatchObject({ status: 'pending' })
    })

    test('may be one of several, while the processor rotates its secret', async () => {
      const program = await given()
      const [first, second] = [await paid(program), await paid(program)]
      const { fake, secret } = program
      expect(await program.deliver(fake.sign(first, { secrets: [newSecret(), secret] }))).toMatchObject({ status: 200 })
      expect(await program.deliver(fake.sign(second, { secrets: [secret, newSecret()] }))).toMatchObject({
        status: 200,
      })
      expect(await program.sales()).toHaveLength(2)
    })

    test('with the next secret is accepted beside the current one, and then replaces it', async () => {
      const program = await given()
      const nextWebhookSecret = newSecret()
      expect(await program.connect({ nextWebhookSecret })).toMatchObject({ status: 200 })
      const deliver = async (secret: string) =>
        program.deliver(program.fake.sign(await paid(program), { secrets: [secret] }))
      expect(await deliver(program.secret)).toMatchObject({ status: 200 })
      expect(await program.connection()).toMatchObject({ hasNextSecret: true })
      expect(await deliver(nextWebhookSecret)).toMatchObject({ status: 200 })
      expect(await program.connection()).toMatchObject({ hasNextSecret: false, status: 'connected' })
      expect(await deliver(nextWebhookSecret)).toMatchObject({ status: 200 })
      expectRefusal((await deliver(program.secret)) as never, 400, 'invalid_signature')
      expect(await program.sales()).toHaveLength(3)
    })

    test('is not enough for a program that is not connected', async () => {
      const [program, other] = [await given(), await givenProgram(service)]
      const event = await paid(program)
      expectRefusal(
        (await program.deliver(event, program.path.replace(/\d+$/, String(other.id)))) as never,
        404,
        'not_found',
      )
      expect(await program.disconnect()).toMatchObject({ status: 200 })
      expectRefusal((await program.deliver(event)) as never, 404, 'not_found')
      expect(await program.inbox()).toEqual([])
    })
  })
}
