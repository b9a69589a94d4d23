import { createHmac } from 'node:crypto'
import type { Signing, Unsigned } from './fake.ts'

/** How a secret becomes a key. */
type ReadKey = (secret: string) => Uint8Array

/** Written from the specification (standardwebhooks.com); every secret adds a signature, separated by spaces. */
export const standardHeaders = ({ id, body }: Unsigned, { secrets, atSeconds }: Signing, readKey: ReadKey) => {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', readKey(secret)).update(`${id}.${atSeconds}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id ?? '',
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': signatures.join(' '),
  }
}

/** `whsec_` and base64, the spelling of the specification. */
export const keyFromBase64: ReadKey = (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/** Polar signs with the text of the secret itself. */
export const keyFromText: ReadKey = (secret) => Buffer.from(secret, 'utf8')
