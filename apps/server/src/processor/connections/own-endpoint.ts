import type { Tx } from '../../database/transaction.ts'
import {
  type ConnectionRow,
  confirmSecret,
  markConnected,
  promoteNextSecret,
  recordAccount,
} from '../../programs/processor-connections.ts'
import { openSecret } from '../../sealed-secrets.ts'
import type { Delivery, Processor } from '../port.ts'

type SignedBy = 'current' | 'next' | 'previous'
type Verified = { connection: ConnectionRow; signedBy: SignedBy }
type OwnEndpoint = { connection: ConnectionRow; secrets: { signedBy: SignedBy; secret: string }[] }

/** A merchant's own endpoint with its signing secrets; null if it has none. */
export const findOwnEndpoint = (
  connection: ConnectionRow | undefined,
  { key, at }: { key: Buffer; at: Date },
): OwnEndpoint | null => {
  if (connection?.kind !== 'own') return null
  const { programId, secret, nextSecret, previousSecret, previousSecretUntil } = connection
  const previous = previousSecretUntil && previousSecretUntil > at ? previousSecret : null
  const sealed = { current: secret, next: nextSecret, previous }
  const secrets = (['current', 'next', 'previous'] as const).flatMap((signedBy) => {
    const text = sealed[signedBy] && openSecret(key, { programId, sealed: sealed[signedBy] })
    return text ? [{ signedBy, secret: text }] : []
  })
  return secrets.length > 0 ? { connection, secrets } : null
}

/** The secret that signed this delivery, or null. */
export const verifyOwnDelivery = async (
  processor: Processor,
  { connection, secrets }: OwnEndpoint,
  delivery: Delivery,
): Promise<Verified | null> => {
  for (const { signedBy, secret } of secrets)
    if (await processor.isSignedWith(secret, delivery)) return { connection, signedBy }
  return null
}

/**
 * A correctly signed event proves that the endpoint works, and a new secret's first use retires the old one. Written only on a
 * change, so that a busy endpoint does not become a hot row.
 */
export const confirmOwnEndpoint =
  ({ connection, signedBy }: Verified, { accountId, at }: { accountId: string | null; at: Date }) =>
  async (tx: Tx) => {
    const { programId, processor, status, secret, nextSecret } = connection
    const key = { programId, processor }
    if (accountId && !connection.accountId) await recordAccount(tx, key, accountId)
    if (status === 'pending') await markConnected(tx, key, at)
    if (signedBy === 'next' && nextSecret) await promoteNextSecret(tx, key, { nextSecret, at })
    if (signedBy === 'current' && secret && !connection.secretConfirmedAt) await confirmSecret(tx, key, { secret, at })
  }
