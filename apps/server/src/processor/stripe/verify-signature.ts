import Stripe from 'stripe'

/** Stripe signs the timestamp too, which prevents late replays. */
const TOLERANCE_SECONDS = 300

export type Delivery = { raw: Buffer; signature: string | null; at: Date }

/** Checks the header before the body is read: it must be a current, well-formed signature. */
export const isPlausibleSignature = (signature: string, at: Date) => {
  const parts = signature.split(',').map((part) => part.trim())
  const now = Math.floor(at.getTime() / 1000)
  const times = parts.filter((part) => part.startsWith('t=')).map((part) => Number(part.slice(2)))
  const isCurrent = times.length > 0 && times.every((time) => Math.abs(now - time) <= TOLERANCE_SECONDS)
  return isCurrent && parts.some((part) => /^v1=[0-9a-f]{64}$/i.test(part))
}

/** Whether Stripe signed exactly these bytes with this secret within the last five minutes. */
export const isSignedWith = async (secret: string, { raw, signature, at }: Delivery) => {
  const text = raw.toString('utf8')
  // Invalid UTF-8 does not survive decoding, so the signed text cannot match.
  if (!signature || !Buffer.from(text).equals(raw)) return false
  if (isInFuture(signature, at)) return false
  const { signature: library } = Stripe.webhooks
  if (!library) throw new Error('the stripe package has no signatures')
  try {
    return await library.verifyHeaderAsync(text, signature, secret, TOLERANCE_SECONDS, undefined, at.getTime())
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}

/** The library checks only the age, so a timestamp in the future would stay valid for too long. */
const isInFuture = (signature: string, at: Date) => {
  const now = Math.floor(at.getTime() / 1000)
  const times = signature
    .split(',')
    .flatMap((part) => (part.startsWith('t=') ? Number.parseInt(part.slice(2), 10) : []))
  return !times.every((time) => time - now <= TOLERANCE_SECONDS)
}
