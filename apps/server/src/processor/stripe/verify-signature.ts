import Stripe from 'stripe'

/** Stripe signs the time too: what was overheard cannot be sent again much later. */
const TOLERANCE_SECONDS = 300

export type Delivery = { raw: Buffer; signature: string | null; at: Date }

/** Told from the header alone, before the body is read: whether it can be a signature of now. */
export const couldBeSignature = (signature: string, at: Date) => {
  const parts = signature.split(',').map((part) => part.trim())
  const now = Math.floor(at.getTime() / 1000)
  const times = parts.filter((part) => part.startsWith('t=')).map((part) => Number(part.slice(2)))
  const isOfNow = times.length > 0 && times.every((time) => Math.abs(now - time) <= TOLERANCE_SECONDS)
  return isOfNow && parts.some((part) => /^v1=[0-9a-f]{64}$/i.test(part))
}

/** Whether Stripe signed exactly these bytes with this secret, at most five minutes from now, by its own library. */
export const isSignedWith = async (secret: string, { raw, signature, at }: Delivery) => {
  const text = raw.toString('utf8')
  // Bytes that are no text would be read as other bytes than came, so nobody can have signed them.
  if (!signature || !Buffer.from(text).equals(raw)) return false
  if (isAhead(signature, at)) return false
  const { signature: library } = Stripe.webhooks
  if (!library) throw new Error('the stripe package has no signatures')
  try {
    return await library.verifyHeaderAsync(text, signature, secret, TOLERANCE_SECONDS, undefined, at.getTime())
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}

/** The library looks at the age alone: a time far ahead would be good until then, and five minutes longer. */
const isAhead = (signature: string, at: Date) => {
  const now = Math.floor(at.getTime() / 1000)
  const times = signature
    .split(',')
    .flatMap((part) => (part.startsWith('t=') ? Number.parseInt(part.slice(2), 10) : []))
  return !times.every((time) => time - now <= TOLERANCE_SECONDS)
}
