import Stripe from 'stripe'
import type { Tx } from '../../database/transaction.ts'
import {
  type ConnectionRow,
  confirmSecret,
  markConnected,
  recordAccount,
} from '../../programs/processor-connections.ts'
import { openSecret } from '../../sealed-secrets.ts'

type SignedBy = 'current' | 'previous'
type Verified = { connection: ConnectionRow; signedBy: SignedBy }
type OwnEndpoint = { connection: ConnectionRow; secrets: { signedBy: SignedBy; secret: string }[] }

/** A merchant's own endpoint with its signing secrets; null if it has none. */
export const findOwnEndpoint = (
  connection: ConnectionRow | undefined,
  { key, at }: { key: Buffer; at: Date },
): OwnEndpoint | null => {
  if (connection?.kind !== 'own') return null
  const secrets = (['current', 'previous'] as const).flatMap((signedBy) => {
    const secret = openEndpointSecret(connection, { key, signedBy, at })
    return secret ? [{ signedBy, secret }] : []
  })
  return secrets.length > 0 ? { connection, secrets } : null
}

/** The secret that signed this delivery, or null. */
export const verifyOwnDelivery = async (
  { connection, secrets }: OwnEndpoint,
  delivery: Delivery,
): Promise<Verified | null> => {
  for (const { signedBy, secret } of secrets) if (await isSignedWith(secret, delivery)) return { connection, signedBy }
  return null
}

const openEndpointSecret = (
  { programId, secret, previousSecret, previousSecretUntil }: ConnectionRow,
  { key, signedBy, at }: { key: Buffer; signedBy: SignedBy; at: Date },
) => {
  const hasExpired = !previousSecretUntil || previousSecretUntil <= at
  const sealed = signedBy === 'current' ? secret : hasExpired ? null : previousSecret
  return sealed && openSecret(key, { programId, sealed })
}

/**
 * A correctly signed event proves that the endpoint works, and the new secret's first use retires the old one. Written only on a
 * change, so that a busy endpoint does not become a hot row.
 */
export const confirmOwnEndpoint =
  ({ connection, signedBy }: Verified, { accountId, at }: { accountId: string | null; at: Date }) =>
  async (tx: Tx) => {
    const { programId, status, secret } = connection
    if (accountId && !connection.accountId) await recordAccount(tx, { programId, accountId })
    if (status === 'pending') await markConnected(tx, { programId, at })
    if (signedBy === 'current' && secret && !connection.secretConfirmedAt)
      await confirmSecret(tx, { programId, secret, at })
  }

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
