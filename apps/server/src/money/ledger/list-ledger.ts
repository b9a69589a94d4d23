import type { Database } from '../../database/connect.ts'
import { type Page, pageOf } from '../../database/sql/pages.ts'
import { directionOf } from '../../database/sql/sorting.ts'
import { ALWAYS_AVAILABLE } from './ledger.ts'

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

type LedgerQuery = { programId: number; partnerId: number; sort: 'createdAt' | '-createdAt' } & Page

/** Hides the placeholder date of payout moves. */
const withDates = <Line extends { availableAt: Date }>(lines: Line[]) =>
  lines.map((line) => ({
    ...line,
    availableAt: line.availableAt.getTime() === ALWAYS_AVAILABLE.getTime() ? null : line.availableAt,
  }))

/**
 * Ordered by id. Credits take no lock, so concurrent credits can appear in either order; a debit locks the account and always follows
 * the credits it uses.
 */
export const listLedger = async (db: Database, { programId, partnerId, sort, ...page }: LedgerQuery) => {
  const { rows, total } = await pageOf(
    db
      .selectFrom('ledgerLines')
      .select(COLUMNS)
      .where('programId', '=', programId)
      .where('partnerId', '=', partnerId)
      .orderBy('id', directionOf(sort)),
    page,
  )
  return { rows: withDates(rows), total }
}

type NextLines = {
  programId: number
  partnerId?: number
  sort?: LedgerQuery['sort']
  lastId?: number | undefined
  limit: number
}

/** The next lines of an export after `lastId`, oldest first by default. */
export const nextLedgerLines = async (
  db: Database,
  { programId, partnerId, sort = 'createdAt', lastId, limit }: NextLines,
) =>
  withDates(
    await db
      .selectFrom('ledgerLines')
      .select(COLUMNS)
      .where('programId', '=', programId)
      .$if(partnerId !== undefined, (query) => query.where('partnerId', '=', partnerId ?? 0))
      .$if(lastId !== undefined, (query) => query.where('id', directionOf(sort) === 'asc' ? '>' : '<', lastId ?? 0))
      .orderBy('id', directionOf(sort))
      .limit(limit)
      .execute(),
  )
