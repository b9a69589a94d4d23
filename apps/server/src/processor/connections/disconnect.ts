import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endConnection, lockConnection } from '../../programs/processor-connections.ts'
import { releaseAccount } from './accounts.ts'

type DisconnectRequest = { programId: number; userId: string }

/** Deletes the secret or releases the account. Returns the platform account if no workspace still uses it. */
export const disconnect = ({ db, clock }: { db: Database; clock: Clock }, { programId, userId }: DisconnectRequest) =>
  inTransaction(db, async (tx) => {
    const before = await lockConnection(tx, programId)
    if (!before || before.status === 'disconnected') return null
    const { kind, status, accountId } = before
    const at = clock()
    await endConnection(tx, { programId, kind, at })
    const entry = { action: 'processor disconnected', subject: 'processor', before: { kind, status, accountId } }
    await recordAudit(tx, { programId, userId, ...entry, at })
    return kind === 'platform' && accountId && (await releaseAccount(tx, accountId)) ? accountId : null
  })
