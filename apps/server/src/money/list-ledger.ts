import type { Database } from '../database/connect.ts'
import { type Page, pageOf } from '../database/pages.ts'
import { wayOf } from '../database/sorting.ts'

const COLUMNS = [
  'id',
  'partnerId',
  'currency',
  'fromAccount',
  'toAccount',
  'amountCents',
  'availableAt',
  'cause',
  'commissionId',
  'payoutLineId',
  'createdAt',
] as const

type Asked = { programId: number; partnerId: number; sort: 'createdAt' | '-createdAt' } & Page

/** A partner's lines. They are written one after another, so their numbers are their order in time. */
export const listLedger = (db: Database, { programId, partnerId, sort, ...page }: Asked) =>
  pageOf(
    db
      .selectFrom('ledgerLines')
      .select(COLUMNS)
      .where('programId', '=', programId)
      .where('partnerId', '=', partnerId)
      .orderBy('id', wayOf(sort)),
    page,
  )

/** The next so many lines of a program, oldest first, for a file of all. */
export const nextLedgerLines = (
  db: Database,
  { programId, partnerId, afterId, limit }: { programId: number; partnerId?: number; afterId: number; limit: number },
) =>
  db
    .selectFrom('ledgerLines')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .$if(partnerId !== undefined, (query) => query.where('partnerId', '=', partnerId ?? 0))
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
