import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { programsOfAccount } from '../programs/processor-connections.ts'

/** Any number, as long as nobody else locks by it. */
const ACCOUNT_LOCK = 2

/** Makes whoever connects an account and whoever keeps an event of it as nobody's follow one another. */
export const lockAccount = (tx: Tx, accountId: string) =>
  sql`SELECT pg_advisory_xact_lock(${ACCOUNT_LOCK}, hashtext(${accountId}))`.execute(tx)

/** Takes the account for the workspace, or says that another one has it. The primary key decides between two at once. */
export const claimAccount = async (tx: Tx, claim: { accountId: string; workspaceId: string }) => {
  await tx
    .insertInto('processorAccounts')
    .values(claim)
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()
  return (await workspaceOfAccount(tx, claim.accountId)) === claim.workspaceId
}

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
  if ((await programsOfAccount(tx, accountId)).length > 0) return false
  await tx.deleteFrom('processorAccounts').where('accountId', '=', accountId).execute()
  return true
}
