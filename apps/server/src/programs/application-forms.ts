import type { ApplicationForm } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

/** The route validated what is stored. */
export const findApplicationForm = async (db: Database | Tx, programId: number): Promise<ApplicationForm> => {
  const row = await db
    .selectFrom('applicationForms')
    .select(['questions', 'autoApprove'])
    .where('programId', '=', programId)
    .executeTakeFirst()
  return (row as ApplicationForm | undefined) ?? { questions: [], autoApprove: null }
}

export const setApplicationForm = async (tx: Tx, programId: number, { questions, autoApprove }: ApplicationForm) => {
  const columns = {
    questions: JSON.stringify(questions),
    autoApprove: autoApprove && JSON.stringify(autoApprove),
  }
  await tx
    .insertInto('applicationForms')
    .values({ programId, ...columns })
    .onConflict((conflict) => conflict.column('programId').doUpdateSet(columns))
    .execute()
}
