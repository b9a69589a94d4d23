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
