import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { programsOfAccount } from '../../programs/processor-connections.ts'

/** Makes whoever connects accounts, lets go of one or keeps an event of one as nobody's follow one another. */
export const lockAccounts = (tx: Tx, accountIds: string[]) =>
  sql`INSERT INTO processor_accounts (account_id) SELECT * FROM unnest(${accountIds.toSorted()}::text[])
    ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id`.execute(tx)

/** Takes the account, which the caller has locked, for the workspace; or says that another one has it. */
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

/** Once no program is connected to it, another workspace may have it. Says whether that is so now. */
export const releaseAccount = async (tx: Tx, accountId: string) => {
  // Before the look: somebody who is about to connect it is waited for.
  await lockAccounts(tx, [accountId])
  if ((await programsOfAccount(tx, accountId)).length > 0) return false
  await setOwner(tx, { accountId, workspaceId: null })
  return true
}
