import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const SECRET_BYTES = 32

/** In the form of Standard Webhooks. */
export const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

type Message = { id: string; at: Date; body: string; secrets: string[] }

/** One signature per secret, separated by a space: during a rotation the receiver may know either. */
export const signatureOf = ({ id, at, body, secrets }: Message) =>
  secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' ')

/** The headers of a request, by Standard Webhooks 1.0. */
export const requestHeaders = ({ id, at, signature }: { id: string; at: Date; signature: string }) => ({
  'content-type': 'application/json',
  'user-agent': 'Tributary-Webhooks/1.0',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': signature,
})
