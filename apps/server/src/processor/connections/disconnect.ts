import type { Clock } from '../../clock.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Audit } from '../../platform/audit.ts'
import { endConnection, lockConnection } from '../../programs/processor-connections.ts'
import { releaseAccount } from './accounts.ts'

type Disconnection = { programId: number; processor: string; clock: Clock; audit: Audit }

/** Deletes the secret or releases the account. Returns the platform account if no workspace still uses it. */
export const disconnect = async (tx: Tx, { programId, processor, clock, audit }: Disconnection) => {
  const before = await lockConnection(tx, { programId, processor })
  if (!before || before.status === 'disconnected') return null
  const { kind, status, accountId } = before
  const at = clock()
  await endConnection(tx, { programId, processor }, { kind, at })
  const entry = { action: 'processor disconnected', subject: 'processor', before: { kind, status, accountId } }
  await audit(tx, { ...entry, at })
  return kind === 'platform' && accountId && (await releaseAccount(tx, accountId)) ? accountId : null
}
