import type { Tx } from '../../database/transaction.ts'
import {
  type ConnectionRow,
  confirmSecret,
  markConnected,
  recordAccount,
} from '../../programs/processor-connections.ts'
import { openSecret } from '../../sealed-secrets.ts'
import { type Delivery, isSignedWith } from '../stripe/read-event.ts'

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
