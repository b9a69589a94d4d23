import Stripe from 'stripe'
import type { IncomingEvent } from '../translation.ts'
import { fieldsOf, idOf, read, timeOf } from './reading.ts'

/** Stripe signs the timestamp too, which prevents late replays. */
const TOLERANCE_SECONDS = 300

export type Delivery = { raw: Buffer; signature: string | null; at: Date }

const partsOf = (signature: string) => signature.split(',').map((part) => part.trim())

/** How old the signature's timestamps are. */
const agesOf = (signature: string, at: Date) => {
  const now = Math.floor(at.getTime() / 1000)
  return partsOf(signature).flatMap((part) => (part.startsWith('t=') ? now - Number(part.slice(2)) : []))
}

/** Checks the header before the body is read: it must be a current, well-formed signature. */
export const isPlausibleSignature = (signature: string, at: Date) => {
  const ages = agesOf(signature, at)
  const isCurrent = ages.length > 0 && ages.every((age) => Math.abs(age) <= TOLERANCE_SECONDS)
  return isCurrent && partsOf(signature).some((part) => /^v1=[0-9a-f]{64}$/i.test(part))
}

/** Whether Stripe signed exactly these bytes with this secret within the last five minutes. */
export const isSignedWith = async (secret: string, { raw, signature, at }: Delivery) => {
  const text = raw.toString('utf8')
  // Invalid UTF-8 does not survive decoding, so the signed text cannot match.
  if (!signature || !Buffer.from(text).equals(raw)) return false
  // The library rejects only old timestamps; one in the future would stay valid for too long.
  if (!agesOf(signature, at).every((age) => age >= -TOLERANCE_SECONDS)) return false
  const { signature: library } = Stripe.webhooks
  if (!library) throw new Error('the stripe package has no signatures')
  try {
    return await library.verifyHeaderAsync(text, signature, secret, TOLERANCE_SECONDS, undefined, at.getTime())
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}

/** Parses an event's envelope; null if it has no ID or type, so it cannot be stored. */
export const readEvent = (text: string, receivedAt: Date): IncomingEvent | null => {
  const event = parse(text)
  const id = idOf(event.id)
  const type = idOf(event.type)
  if (!id || !type) return null
  return {
    id,
    type,
    createdAt: timeOf(event.created) ?? receivedAt,
    receivedAt,
    // Anything not marked live is a test.
    livemode: event.livemode === true,
    accountId: idOf(event.account),
    apiVersion: idOf(event.api_version),
    object: fieldsOf(read(event, 'data', 'object')),
  }
}

const parse = (text: string) => {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}
