import Stripe from 'stripe'
import type { Delivery } from '../port.ts'
import { isCurrent } from '../signatures/hmac.ts'

const TOLERANCE_SECONDS = 300

const signatureIn = (headers: Headers) => headers.get('stripe-signature') ?? ''
const partsOf = (signature: string) => signature.split(',').map((part) => part.trim())

const timesIn = (signature: string) =>
  partsOf(signature).flatMap((part) => (part.startsWith('t=') ? part.slice('t='.length) : []))

/** Stripe signs the time too, which prevents late replays. */
export const isPlausible = (headers: Headers, at: Date) => {
  const signature = signatureIn(headers)
  const times = timesIn(signature)
  const isRecent = times.length > 0 && times.every((time) => isCurrent(time, at))
  return isRecent && partsOf(signature).some((part) => /^v1=[0-9a-f]{64}$/i.test(part))
}

export const isSignedWith = async (secret: string, { raw, headers, at }: Delivery) => {
  const text = raw.toString('utf8')
  // Invalid UTF-8 does not survive decoding, so the signed text cannot match.
  if (!Buffer.from(text).equals(raw)) return false
  // The library rejects only old times; one in the future would stay valid for too long.
  if (!isPlausible(headers, at)) return false
  const { signature: library } = Stripe.webhooks
  if (!library) throw new Error('the stripe package has no signatures')
  try {
    return await library.verifyHeaderAsync(
      text,
      signatureIn(headers),
      secret,
      TOLERANCE_SECONDS,
      undefined,
      at.getTime(),
    )
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}
