import Stripe from 'stripe'

/** Stripe signs the time too: what was overheard cannot be sent again much later. */
const TOLERANCE_SECONDS = 300

export type Delivery = { raw: Buffer; signature: string | null; at: Date }

/** Whether Stripe signed exactly these bytes with this secret within the last five minutes, by its own library. */
export const isSignedWith = async (secret: string, { raw, signature, at }: Delivery) => {
  const text = raw.toString('utf8')
  // Bytes that are no text would be read as other bytes than came, so nobody can have signed them.
  if (!signature || !Buffer.from(text).equals(raw)) return false
  const { signature: library } = Stripe.webhooks
  if (!library) throw new Error('the stripe package has no signatures')
  try {
    return await library.verifyHeaderAsync(text, signature, secret, TOLERANCE_SECONDS, undefined, at.getTime())
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}
