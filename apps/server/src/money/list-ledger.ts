import type { Database } from '../database/connect.ts'
import { type Page, pageOf } from '../database/pages.ts'

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

/** A partner's lines, newest first. */
export const listLedger = (
  db: Database,
  { programId, partnerId, ...page }: { programId: number; partnerId: number } & Page,
) =>
  pageOf(
    db
      .selectFrom('ledgerLines')
      .select(COLUMNS)
      .where('programId', '=', programId)
      .where('partnerId', '=', partnerId)
      .orderBy('id', 'desc'),
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
