import type { Tx } from '../../database/transaction.ts'
import {
  endConnection,
  programsOfAccount,
  recordAccount,
  updateAccountFlags,
} from '../../programs/processor-connections.ts'
import type { AccountFlags } from '../translation.ts'
import { releaseAccount } from './accounts.ts'

type Change = { accountId: string | null; flags: AccountFlags; at: Date }

/** Stores the account's capabilities. For a merchant's own account, this is also the only event that names it. */
export const updateAccount = async (
  tx: Tx,
  { programIds }: { programIds: number[] },
  { accountId, flags, at }: Change,
) => {
  await updateAccountFlags(tx, programIds, { ...flags, at })
  if (accountId) for (const programId of programIds) await recordAccount(tx, { programId, accountId })
}

/**
 * The merchant deauthorized the platform: disconnects every program of the account. Ignores connections made after the event,
 * whose timestamp has whole seconds.
 */
export const deauthorizeAccount = async (tx: Tx, { accountId, at }: { accountId: string; at: Date }) => {
  for (const { programId, connectedAt } of await programsOfAccount(tx, accountId))
    if (!connectedAt || Math.floor(connectedAt.getTime() / 1000) * 1000 <= at.getTime())
      await endConnection(tx, { programId, kind: 'platform', at })
  await releaseAccount(tx, accountId)
}
