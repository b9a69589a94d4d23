import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import {
  type ConnectionRow,
  confirmSecret,
  findConnectionRow,
  learnAccount,
  markConnected,
} from '../programs/processor-connections.ts'
import { openSecret } from './signing-secrets.ts'
import { type Delivery, isSignedWith } from './stripe/verify-signature.ts'

type SignedBy = 'present' | 'previous'
type Verified = { connection: ConnectionRow; signedBy: SignedBy }

/** The connection of a program whose own secret has signed this delivery, and which of its two secrets it was. */
export const verifyOwnDelivery = async (
  db: Database,
  { key, programId, delivery }: { key: Buffer; programId: number; delivery: Delivery },
): Promise<Verified | null> => {
  const connection = await findConnectionRow(db, programId)
  if (connection?.kind !== 'own') return null
  for (const signedBy of ['present', 'previous'] as const) {
    const secret = secretOf(connection, { key, signedBy, at: delivery.at })
    if (secret && (await isSignedWith(secret, delivery))) return { connection, signedBy }
  }
  return null
}

const secretOf = (
  { programId, secret, previousSecret, previousSecretUntil }: ConnectionRow,
  { key, signedBy, at }: { key: Buffer; signedBy: SignedBy; at: Date },
) => {
  const isOver = !previousSecretUntil || previousSecretUntil <= at
  const sealed = signedBy === 'present' ? secret : isOver ? null : previousSecret
  return sealed && openSecret(key, { programId, sealed })
}

/**
 * What a correctly signed event proves: the endpoint works, and once the new secret was seen, the old one has no use.
 * Written only when it says something new, so that a busy endpoint is no busy row.
 */
export const confirmOwnEndpoint =
  ({ connection, signedBy }: Verified, { accountId, at }: { accountId: string | null; at: Date }) =>
  async (tx: Tx) => {
    const { programId, status, secret } = connection
    if (accountId && !connection.accountId) await learnAccount(tx, { programId, accountId })
    if (status === 'pending') await markConnected(tx, { programId, at })
    if (signedBy === 'present' && secret && !connection.secretConfirmedAt)
      await confirmSecret(tx, { programId, secret, at })
  }
