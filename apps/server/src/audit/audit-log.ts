import type { Database } from '../database/connect.ts'
import { type Page, pageOf } from '../database/pages.ts'
import type { Tx } from '../database/transaction.ts'

type Entry = {
  programId: number
  userId: string
  action: string
  subject: string
  before?: unknown
  after?: unknown
  at: Date
}

/** Who changed money or terms. Written in the transaction of the change, and never changed itself. */
export const note = async (tx: Database | Tx, { before, after, at, ...entry }: Entry) => {
  await tx
    .insertInto('auditEntries')
    .values({ ...entry, before: asJson(before), after: asJson(after), createdAt: at })
    .execute()
}

const asJson = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

export const listAudit = (db: Database, { programId, ...page }: { programId: number } & Page) =>
  pageOf(
    db
      .selectFrom('auditEntries')
      .select(['id', 'userId', 'action', 'subject', 'before', 'after', 'createdAt'])
      .where('programId', '=', programId)
      .orderBy('id', 'desc'),
    page,
  )
