import type { Tx } from '../../database/transaction.ts'
import {
  endConnection,
  keepAccountFlags,
  learnAccount,
  programsOfAccount,
} from '../../programs/processor-connections.ts'
import type { AccountFlags } from '../translation.ts'
import { releaseAccount } from './accounts.ts'

type Change = { accountId: string | null; flags: AccountFlags; at: Date }

/** What the account may do, as the processor says. An account of its own is not named in other events, so it is learnt here. */
export const changeAccount = async (
  tx: Tx,
  { programIds }: { programIds: number[] },
  { accountId, flags, at }: Change,
) => {
  await keepAccountFlags(tx, programIds, { ...flags, at })
  if (accountId) for (const programId of programIds) await learnAccount(tx, { programId, accountId })
}

/**
 * The merchant has sent the platform away: every program that it served has to be connected again. Words from before the
 * connection are about another one. Stripe counts seconds.
 */
export const leaveAccount = async (tx: Tx, { accountId, at }: { accountId: string; at: Date }) => {
  for (const { programId, connectedAt } of await programsOfAccount(tx, accountId))
    if (!connectedAt || Math.floor(connectedAt.getTime() / 1000) * 1000 <= at.getTime())
      await endConnection(tx, { programId, kind: 'platform' })
  await releaseAccount(tx, accountId)
}
