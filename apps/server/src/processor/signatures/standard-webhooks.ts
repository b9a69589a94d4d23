import type { Delivery } from '../port.ts'
import { hmac, isCurrent, isSame } from './hmac.ts'

/**
 * https://github.com/standard-webhooks/standard-webhooks: `webhook-signature` has one or more space-separated `v1,base64`, of which
 * any may match, because there are several while a secret is rotated.
 */
const SIGNATURE = /^v1,[A-Za-z\d+/]{43}=$/

const signaturesIn = (headers: Headers) => (headers.get('webhook-signature') ?? '').split(' ')

export const isPlausibleStandardWebhook = (headers: Headers, at: Date) =>
  Boolean(headers.get('webhook-id')) &&
  isCurrent(headers.get('webhook-timestamp') ?? '', at) &&
  signaturesIn(headers).some((signature) => SIGNATURE.test(signature))

export const standardWebhookId = (headers: Headers) => headers.get('webhook-id')

/** Processors differ in how they derive the key from the secret. */
export const isStandardWebhookSignedWith = (key: Buffer, { raw, headers, at }: Delivery) => {
  const [id, seconds] = [headers.get('webhook-id'), headers.get('webhook-timestamp') ?? '']
  if (!id || !isCurrent(seconds, at)) return false
  const expected = hmac({ key, parts: [`${id}.${seconds}.`, raw] })
  return signaturesIn(headers)
    .filter((signature) => SIGNATURE.test(signature))
    .some((signature) => isSame(expected, Buffer.from(signature.slice('v1,'.length), 'base64')))
}
