import type { AuditQuery } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import { pageOf } from '../database/pages.ts'
import { containing, wayOf } from '../database/sorting.ts'
import type { Tx } from '../database/transaction.ts'
import { partnerOfEntry } from './whose-entry.ts'

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

type Asked = { programId: number } & AuditQuery

export const listAudit = (db: Database, { programId, userId, search, sort, ...page }: Asked) =>
  pageOf(
    db
      .selectFrom('auditEntries')
      .select(['id', 'userId', 'action', 'subject', 'before', 'after', 'createdAt'])
      .select((e) =>
        e.selectFrom('users').select('name').whereRef('users.id', '=', 'auditEntries.userId').as('userName'),
      )
      .select(partnerOfEntry.as('partnerName'))
      .where('programId', '=', programId)
      .$if(userId !== undefined, (query) => query.where('userId', '=', userId ?? ''))
      .$if(search !== undefined, (query) =>
        query.where((e) =>
          e.or(
            ['action' as const, 'subject' as const, partnerOfEntry].map((text) =>
              e(text, 'ilike', containing(search ?? '')),
            ),
          ),
        ),
      )
      // Entries are numbered as they are written, which is their order in time.
      .$if(sort.endsWith('action'), (query) => query.orderBy('action', wayOf(sort)))
      .orderBy('id', wayOf(sort)),
    page,
  )
