import { checkFields, kindOf, milliseconds } from '../check-arguments.ts'
import { TributaryArgumentError } from '../errors.ts'
import { type Pace, realPace } from '../pace.ts'
import type { WebhookEvent } from './events.ts'
import { hmacSha256 } from './sha256.ts'

type HeaderValue = string | readonly string[] | null | undefined

/** Web `Headers`, Node's headers object, or any object with the names of the headers in any case. */
export type WebhookHeaders = { get(name: string): HeaderValue } | { readonly [name: string]: unknown }

export type VerifyOptions = {
  /** How far the timestamp may be from your clock, in either direction. Default: 5 minutes. */
  toleranceMs?: number | null | undefined
  /** @internal */
  pace?: Pick<Pace, 'date'>
}

/** Why a request is not a valid webhook. Respond with 400 and do nothing. */
export type TributaryWebhookErrorCode =
  /** One of the three headers is missing or malformed. */
  | 'invalid_headers'
  /** None of the signatures was made with this secret, or the body was changed. */
  | 'invalid_signature'
  /** The signature is right, but older (or newer) than the tolerance: a replayed request, or a wrong clock. */
  | 'timestamp_out_of_range'
  /** The signature is right, but the body is not an event. */
  | 'invalid_body'

export class TributaryWebhookError extends Error {
  override readonly name: string = 'TributaryWebhookError'
  readonly code: TributaryWebhookErrorCode

  constructor(code: TributaryWebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Checks the signature of a webhook (Standard Webhooks 1.0) and returns its event. Throws a `TributaryWebhookError` if the request did
 * not come from your service, or is too old. `body` is the body exactly as received, not the parsed object. During a rotation, pass
 * both secrets: `[newSecret, oldSecret]`.
 */
export const verifyWebhook = (
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent => {
  checkFields('verifyWebhook options', options, ['toleranceMs', 'pace'])
  const toleranceMs = milliseconds('toleranceMs', options.toleranceMs, 5 * 60_000)
  const keys = readSecrets(secret)
  const bytes = readBody(body)
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  if (!/^\d{1,11}$/.test(timestamp))
    throw new TributaryWebhookError('invalid_headers', 'webhook-timestamp must be a number of seconds.')
  if (!isSigned({ id, timestamp, bytes, keys, signatures }))
    throw new TributaryWebhookError(
      'invalid_signature',
      'No signature matches. Check that the secret is the one of this endpoint and that body is the raw request body.',
    )
  const ageMs = (options.pace ?? realPace).date() - Number(timestamp) * 1_000
  if (Math.abs(ageMs) > toleranceMs)
    throw new TributaryWebhookError(
      'timestamp_out_of_range',
      `The webhook was signed ${Math.round(Math.abs(ageMs) / 1_000)} seconds ${ageMs > 0 ? 'ago' : 'in the future'}. Check your server’s clock.`,
    )
  return readEvent(bytes)
}

type Signed = { id: string; timestamp: string; bytes: Uint8Array; keys: Uint8Array[]; signatures: string }

/** Compares every signature with every key, so the time does not depend on which one matches. */
const isSigned = ({ id, timestamp, bytes, keys, signatures }: Signed) => {
  const prefix = encode(`${id}.${timestamp}.`)
  const message = new Uint8Array(prefix.length + bytes.length)
  message.set(prefix)
  message.set(bytes, prefix.length)
  // A service sends one signature per valid secret. The bound keeps a hostile header from costing much.
  const given = signatures.split(' ', 16).flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []))
  let matches = 0
  for (const key of keys) {
    const expected = toBase64(hmacSha256(key, message))
    for (const signature of given) matches += Number(isEqual(signature, expected))
  }
  return matches > 0
}

/** In constant time: it does not stop at the first difference. */
const isEqual = (given: string, expected: string) => {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let index = 0; index < expected.length; index += 1)
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index)
  return difference === 0
}

const encode = (text: string) => new TextEncoder().encode(text)

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

const readSecrets = (secret: unknown): Uint8Array[] => {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret]
  if (secrets.length === 0) throw wrongSecret('secret is an empty list.')
  return secrets.map(readSecret)
}

const readSecret = (secret: unknown): Uint8Array => {
  if (secret === undefined || secret === null || secret === '')
    throw wrongSecret('secret is missing. Check that its environment variable is set.')
  if (typeof secret !== 'string') throw wrongSecret(`secret must be a string, not ${kindOf(secret)}.`)
  const key = fromBase64(secret.replace(/^whsec_/, ''))
  // Standard Webhooks secrets have at least 24 bytes. An empty key would accept what anyone can sign.
  if (!key || key.length < 24)
    throw wrongSecret('secret is incomplete. It must be the whole value, which starts with whsec_.')
  return key
}

const wrongSecret = (message: string) =>
  new TributaryArgumentError(`${message} Pass the secret of the webhook endpoint (whsec_…).`, 'secret')

const fromBase64 = (text: string) => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

const readBody = (body: unknown): Uint8Array => {
  if (typeof body === 'string') return encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TributaryArgumentError(
    `body must be the raw request body as a string or bytes, not ${kindOf(body)}. In Express, use express.raw({ type: 'application/json' }) for this route; elsewhere, await request.text().`,
    'body',
  )
}

const header = (headers: WebhookHeaders, name: string): string => {
  if (typeof headers !== 'object' || headers === null)
    throw new TributaryArgumentError(`headers must be the request's headers, not ${kindOf(headers)}.`, 'headers')
  const value = headerIn(headers, name)
  const text = Array.isArray(value) ? value.join(' ') : value
  if (typeof text === 'string' && text !== '') return text
  throw new TributaryWebhookError('invalid_headers', `The header ${name} is missing.`)
}

const headerIn = (headers: WebhookHeaders, name: string): unknown => {
  if (typeof headers.get === 'function') return headers.get(name)
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}

const readEvent = (bytes: Uint8Array): WebhookEvent => {
  const event = parse(bytes)
  if (typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string')
    return event as WebhookEvent
  throw new TributaryWebhookError(
    'invalid_body',
    'The body is signed, but is not an event. verifyWebhook reads the standard format only.',
  )
}

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
