import { expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import {
  createDodo,
  createFakeOf,
  createLemonSqueezy,
  createPaddle,
  createPolar,
  PROCESSOR_NAMES,
} from '../../src/fakes/index.ts'

/** From the tests of Paddle's Node and Python SDKs. */
test.each([
  {
    secret: 'VALID_SECRET',
    body: '{"data": ["1", "2"]}',
    atSeconds: 1698796800,
    h1: 'a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9',
  },
  {
    secret: 'VALID_SECRET',
    body: '{"data": "value"}',
    atSeconds: 1698796800,
    h1: '28981e941fae76e53db32f3d2a83cb69db41476595e84e1970a1b5d98f62b261',
  },
  {
    secret: 'pdl_ntf_01hbpjmytsa32fhr36nqgc3kgb_WvRO0eL4Bj9rgYYIBZY6wZhG4EHy9jzh',
    body: 'hello-world',
    atSeconds: 1696195954,
    h1: 'd96299976a6eb066f484d7fde011ac56fc32b38fc9940bc419d6e537fdc6ef02',
  },
])("Paddle's published signature of $body", ({ secret, body, atSeconds, h1 }) => {
  const fake = createPaddle({ secret })
  const { headers } = fake.sign(fake.deliver(body), { atSeconds })
  expect(headers['paddle-signature']).toBe(`ts=${atSeconds};h1=${h1}`)
})

test('Paddle signs with both secrets while one is rotated', () => {
  const fake = createPaddle({ secret: 'VALID_SECRET' })
  const { headers } = fake.sign(fake.deliver('{"data": "value"}'), {
    secrets: ['new', 'VALID_SECRET'],
    atSeconds: 1698796800,
  })
  expect(headers['paddle-signature']).toMatch(
    /^ts=1698796800;h1=[\da-f]{64};h1=28981e941fae76e53db32f3d2a83cb69db41476595e84e1970a1b5d98f62b261$/,
  )
})

/** From the Standard Webhooks reference libraries. */
test("Dodo's signature is that of the specification's test vector", () => {
  const fake = createDodo({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
  const delivery = fake.deliver('{"test": 2432232314}', { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek' })
  expect(fake.sign(delivery, { atSeconds: 1614265330 }).headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

const POLAR_SECRET = 'polar_whs_Quillet0secret'

/** Polar's SDK passes the base64 of the secret's text to the reference library. */
const READERS = [
  {
    create: createDodo,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  { create: createPolar, secret: POLAR_SECRET, key: Buffer.from(POLAR_SECRET).toString('base64') },
]

test.each(READERS)('the reference library accepts $create.name, two signatures too, and nothing else', ({
  create,
  secret,
  key,
}) => {
  const fake = create({ secret })
  const webhook = new Webhook(key)
  const [delivery] = fake.checkout('p', { customerName: 'Zoë 山田' })
  if (!delivery) throw new Error('no event')
  const text = new TextDecoder().decode(delivery.body)
  expect(webhook.verify(text, delivery.headers)).toEqual(JSON.parse(text))

  const both = fake.sign(delivery, { secrets: ['whsec_b3RoZXI=', secret] })
  expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2)
  expect(webhook.verify(text, both.headers)).toEqual(JSON.parse(text))

  const wrong = fake.sign(delivery, { secrets: ['whsec_b3RoZXI='] })
  expect(() => webhook.verify(text, wrong.headers)).toThrow('No matching signature')
  const old = fake.sign(delivery, { atSeconds: Math.floor(Date.now() / 1000) - 3600 })
  expect(() => webhook.verify(text, old.headers)).toThrow('too old')
  expect(() => webhook.verify(`${text} `, delivery.headers)).toThrow('No matching signature')
})

/** Case 2 of RFC 4231. */
test("Lemon Squeezy's signature is the HMAC of the body alone", () => {
  const fake = createLemonSqueezy({ secret: 'Jefe' })
  const signature = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  expect(fake.deliver('what do ya want for nothing?', { type: 'order_created' }).headers).toEqual({
    'content-type': 'application/json',
    'x-event-name': 'order_created',
    'x-signature': signature,
  })
  const later = fake.sign(fake.deliver('what do ya want for nothing?'), { atSeconds: 1 })
  expect(later.headers['x-signature']).toBe(signature)
})

test.each(PROCESSOR_NAMES)('a repeated event of %p has the same id and body', (name) => {
  const fake = createFakeOf(name, { secret: 'whsec_c2VjcmV0' })
  const [first] = fake.checkout('p')
  if (!first) throw new Error('no event')
  const again = fake.sign(first, { atSeconds: 1_800_000_000 })
  expect({ id: again.id, type: again.type, body: again.body }).toEqual({
    id: first.id,
    type: first.type,
    body: first.body,
  })
})
