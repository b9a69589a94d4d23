import { PREVIOUS_SECRET_HOURS } from '@tributary/contract'
import type { Clock } from '../../clock.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Audit } from '../../platform/audit.ts'
import { type ConnectionRow, changeConnection, createConnection } from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'
import { openSecret, sealSecret } from '../../sealed-secrets.ts'
import { ensureInboxProgram } from '../inbox-programs.ts'
import { isOtherAccount, lockOwnConnection } from './connect-with-secret.ts'

type Deps = { key: Buffer; clock: Clock; audit: Audit }
type ConnectRequest = { processor: string; program: Program; webhookSecret: string; accountId?: string }

const HOUR_MS = 3_600_000

/** Connects a merchant's own account by its webhook signing secret, or rotates the secret of an existing connection. */
export const connectOwnAccount = async (
  tx: Tx,
  { key, clock, audit }: Deps,
  { processor, program, webhookSecret, accountId }: ConnectRequest,
) => {
  const programId = program.id
  const connection = { programId, processor }
  const before = await lockOwnConnection(tx, connection, { accountId })
  const at = clock()
  const secret = sealSecret(key, { programId, secret: webhookSecret })
  await ensureInboxProgram(tx, { workspaceId: program.workspaceId, programId })
  const settings = { status: 'pending', secret, secretSetAt: at, accountId: accountId ?? null }
  if (!before?.secret || isOtherAccount(before, { accountId })) await createConnection(tx, connection, settings, at)
  else await rotate(tx, before, { key, webhookSecret, secret, accountId, at })
  // The secret never appears in a log.
  const change = { before: before && { status: before.status }, after: { kind: 'own', accountId } }
  await audit(tx, { action: 'processor connected', subject: 'processor', ...change, at })
}

type Rotation = { key: Buffer; webhookSecret: string; secret: Buffer; accountId?: string; at: Date }

/** Without a gap: events signed with the previous secret are accepted until the new one has been seen. */
const rotate = async (tx: Tx, before: ConnectionRow, { key, webhookSecret, secret, accountId, at }: Rotation) => {
  const { programId, secret: sealed } = before
  if (accountId) await changeConnection(tx, before, { accountId })
  if (sealed && openSecret(key, { programId, sealed }) === webhookSecret) return
  await changeConnection(tx, before, {
    secret,
    secretSetAt: at,
    secretConfirmedAt: null,
    previousSecret: sealed,
    previousSecretUntil: new Date(at.getTime() + PREVIOUS_SECRET_HOURS * HOUR_MS),
  })
}
