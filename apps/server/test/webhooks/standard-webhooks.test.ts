import { expect, test } from 'bun:test'
import { requestHeaders, signatureOf } from '../../src/webhooks/sending/sign.ts'

/** From the tests of the Standard Webhooks libraries. */
const VECTORS = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
]

test('signatures match the test vectors of Standard Webhooks', () => {
  for (const { secret, id, timestamp, body, signature } of VECTORS) {
    const at = new Date(timestamp * 1000)
    expect(signatureOf({ id, at, body, secrets: [secret] })).toBe(signature)
    const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    expect(signatureOf({ id, at, body, secrets: [other, secret] }).split(' ')[1]).toBe(signature)
    expect(requestHeaders({ id, at: new Date(at.getTime() + 999), signature })).toMatchObject({
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    })
  }
})
