import { PREVIOUS_SECRET_HOURS } from '@tributary/contract'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import {
  type ConnectionRow,
  changeConnection,
  createConnection,
  lockConnection,
} from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { openSecret, sealSecret } from '../../sealed-secrets.ts'
import { ensureHomeProgram } from '../home-programs.ts'

type Deps = { db: Database; clock: Clock; key: Buffer }
type ConnectRequest = { program: Program; userId: string; webhookSecret: string; accountId?: string }

const HOUR_MS = 3_600_000

/** Connects a merchant's own account by its webhook signing secret, or rotates the secret of an existing connection. */
export const connectOwnAccount = (
  { db, clock, key }: Deps,
  { program, userId, webhookSecret, accountId }: ConnectRequest,
) =>
  inTransaction(db, async (tx) => {
    const at = clock()
    const programId = program.id
    const before = await lockConnection(tx, programId)
    if (before?.kind === 'platform' && before.status !== 'disconnected')
      throw new Refusal('conflict', 'This program is connected through the platform. Disconnect it first.')
    const secret = sealSecret(key, { programId, secret: webhookSecret })
    await ensureHomeProgram(tx, { workspaceId: program.workspaceId, programId })
    const isOtherAccount = accountId !== undefined && before?.accountId !== null && before?.accountId !== accountId
    if (!before?.secret || isOtherAccount)
      await createConnection(
        tx,
        programId,
        { status: 'pending', secret, secretSetAt: at, accountId: accountId ?? null },
        at,
      )
    else await rotate(tx, before, { key, webhookSecret, secret, accountId, at })
    // The secret never appears in a log.
    const entry = { action: 'processor connected', subject: 'processor', after: { kind: 'own', accountId } }
    await recordAudit(tx, { programId, userId, ...entry, before: before && { status: before.status }, at })
  })

type Rotation = { key: Buffer; webhookSecret: string; secret: Buffer; accountId?: string; at: Date }

/** Without a gap: events signed with the previous secret are accepted until the new one has been seen. */
const rotate = async (tx: Tx, before: ConnectionRow, { key, webhookSecret, secret, accountId, at }: Rotation) => {
  const { programId, secret: sealed } = before
  if (accountId) await changeConnection(tx, programId, { accountId })
  if (sealed && openSecret(key, { programId, sealed }) === webhookSecret) return
  await changeConnection(tx, programId, {
    secret,
    secretSetAt: at,
    secretConfirmedAt: null,
    previousSecret: sealed,
    previousSecretUntil: new Date(at.getTime() + PREVIOUS_SECRET_HOURS * HOUR_MS),
  })
}
