import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { programsOfAccount } from '../../programs/processor-connections.ts'

/** Serializes connecting and releasing accounts and storing their unassigned events. */
export const lockAccounts = (tx: Tx, accountIds: string[]) =>
  sql`INSERT INTO processor_accounts (account_id) SELECT * FROM unnest(${accountIds.toSorted()}::text[])
    ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id`.execute(tx)

/** Claims a locked account for the workspace; false if another workspace has it. */
export const claimAccount = async (tx: Tx, { accountId, workspaceId }: { accountId: string; workspaceId: string }) => {
  const owner = await workspaceOfAccount(tx, accountId)
  if (owner === null) await setOwner(tx, { accountId, workspaceId })
  return owner === null || owner === workspaceId
}

const setOwner = (tx: Tx, { accountId, workspaceId }: { accountId: string; workspaceId: string | null }) =>
  tx.updateTable('processorAccounts').set({ workspaceId }).where('accountId', '=', accountId).execute()

export const workspaceOfAccount = async (db: Database | Tx, accountId: string) => {
  const row = await db
    .selectFrom('processorAccounts')
    .select('workspaceId')
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return row?.workspaceId ?? null
}

/** Frees the account for other workspaces once no program is connected to it. Returns whether it is free. */
export const releaseAccount = async (tx: Tx, accountId: string) => {
  // Lock first, to wait for a concurrent connect.
  await lockAccounts(tx, [accountId])
  if ((await programsOfAccount(tx, accountId)).length > 0) return false
  await setOwner(tx, { accountId, workspaceId: null })
  return true
}
